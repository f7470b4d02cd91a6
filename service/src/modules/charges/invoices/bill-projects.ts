import type { App } from "../../../app.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { deletePaidCustomers } from "./delete-paid-customers.ts";
import { issueInvoices } from "./issue-invoices.ts";
import { openInvoices } from "./open-invoices.ts";

/**
 * Makes and pays the invoices of what Purser bills, and deletes the customers of deleted projects that owe nothing. One
 * invoice's error does not affect the others.
 */
export async function billProjects(app: Pick<App, "db" | "clock" | "billing">): Promise<void> {
  await tryEach([openInvoices, issueInvoices, deletePaidCustomers], (step) => step(app));
}
