import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { FoundProject } from "../queries.ts";
import { newBilling } from "./customer.ts";
import { insertBilling } from "./queries.ts";

/** Stores the project's customer and writes the audit entry. Does nothing if the project already has a customer. */
export async function saveCustomer(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { project, customerId }: { readonly project: FoundProject; readonly customerId: string },
): Promise<void> {
  const occurredAt = clock.now();
  if (!(await insertBilling(tx, newBilling(project, customerId, occurredAt)))) return;
  await appendAuditEntry(tx, actor, {
    action: "payment_customer.created",
    subject: { type: "project", id: project.projectId },
    facts: { customer_id: customerId },
    occurredAt,
  });
}
