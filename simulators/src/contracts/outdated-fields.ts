/**
 * Required fields of responses that the current API version no longer has, by the description's file and the name of the
 * schema. Stripe removed those of invoices in version 2025-03-31.
 */
export const OUTDATED_FIELDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "pruned/stripe.json": {
    invoice: ["paid", "paid_out_of_band", "total_tax_amounts"],
    line_item: ["proration", "type"],
  },
};
