import { type Static, Type } from "typebox";
import type { Db } from "../../../db/database.ts";
import type { ListedPage, Page } from "../../../db/pages.ts";
import { formatUsdCents } from "../../../foundation/money.ts";
import { MODES } from "../../../foundation/vocabulary.ts";
import {
  DecimalOut,
  Flag,
  ListOf,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { getProjectEvenDeleted, type ProjectKey } from "../../projects/queries.ts";
import { INVOICE_CHARGES_MAX, type ListedInvoice, listInvoices } from "./queries.ts";

export const InvoiceResource = NamedObject("Invoice", {
  object: Type.Literal("invoice"),
  invoice_id: Type.String(),
  mode: Type.Enum([...MODES]),
  project_id: Type.String(),
  project_name: Text("The name of the project, also of a deleted one."),
  period: Type.String({
    description: "The calendar month (UTC) of the invoice. Charges of earlier months can be on it too.",
    examples: ["2026-11"],
  }),
  status: OneOf(
    ["preparing", "open", "paid", "void", "uncollectible"],
    "`preparing`: not made at the payment processor yet. `open`: not paid yet. `uncollectible`: the payment processor has given up, but the amount is still owed.",
  ),
  past_due: Flag("Whether a payment was declined and the amount is still owed."),
  currency: Type.Enum(["usd"]),
  amount: { ...DecimalOut, description: "The sum of all charges on the invoice, in US dollars." },
  charges: ListOf(
    Type.Object({
      charge_id: Type.String(),
      description: Type.String(),
      amount: { ...DecimalOut, description: "In US dollars. Negative for a refund." },
    }),
    `The first ${INVOICE_CHARGES_MAX} charges on the invoice, by their ids.`,
  ),
  has_more_charges: Flag("Whether the invoice has more charges than `charges`."),
  processor_invoice_id: Nullable(
    Type.String(),
    "The id of the invoice at the payment processor, which is the `payment_id` of its paid charges. Null while it is `preparing`.",
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
  paid_at: Nullable(Timestamp, "When Purser learned that the invoice was paid. Null unless it is paid."),
});

export function presentInvoice(invoice: ListedInvoice): Static<typeof InvoiceResource> {
  const { status, amountCents, periodStart, updatedAt, charges } = invoice;
  return toWire(InvoiceResource, invoice, {
    period: periodStart.toISOString().slice(0, 7),
    currency: "usd",
    amount: formatUsdCents(amountCents),
    charges: charges.slice(0, INVOICE_CHARGES_MAX).map(({ chargeId, description, cents }) => ({
      charge_id: chargeId,
      description,
      amount: formatUsdCents(BigInt(cents)),
    })),
    has_more_charges: charges.length > INVOICE_CHARGES_MAX,
    // A paid invoice does not change any more.
    paid_at: status === "paid" ? updatedAt.toISOString() : null,
  });
}

/** Returns one page of a project's invoices, newest first. Throws `project_not_found`. */
export async function listProjectInvoices(
  db: Db,
  key: ProjectKey,
  page: Page<string>,
): Promise<ListedPage<ListedInvoice>> {
  const { projectId } = await getProjectEvenDeleted(db, key);
  return listInvoices(db, { ...key, projectIds: [projectId] }, page);
}
