import type { App } from "../app.ts";
import type { DueWork } from "../due-work/due-work.ts";
import { refreshPaymentMethod, refreshSetup } from "../modules/charges/billing/payment-method.ts";
import { refreshCharge } from "../modules/charges/invoices/apply-invoice.ts";
import { refreshInvoice } from "../modules/charges/invoices/invoices.ts";
import { refreshTransfer } from "../modules/fiat/conversions/end-conversion.ts";
import { refreshBankItem, refreshKycLink, refreshScreening } from "../modules/fiat/fiat-accounts.ts";
import {
  APPLY_VENDOR_EVENTS,
  handlerOf,
  type ObjectHandlers,
  receiveEvent,
  reportedObjectOf,
} from "../modules/vendor-webhooks/vendor-webhooks.ts";

/** The handlers of vendors' objects. A vendor that sends webhooks registers its own here. */
const HANDLERS: ObjectHandlers = new Map([
  ["stripe/invoice", refreshInvoice],
  ["stripe/charge", refreshCharge],
  ["stripe/setup_intent", refreshSetup],
  ["stripe/payment_method", refreshPaymentMethod],
  ["plaid/item", refreshBankItem],
  ["plaid/screening", refreshScreening],
  ["bridge/kyc_link", refreshKycLink],
  ["bridge/transfer", refreshTransfer],
]);

/** Stores a verified event of a vendor, if a handler is registered for its object. */
export function receiveVendorEvent(
  app: Pick<App, "db" | "clock">,
  received: Parameters<typeof receiveEvent>[2],
): Promise<void> {
  return receiveEvent(app, HANDLERS, received);
}

/**
 * Applies the current state of the vendors' objects that were reported to have changed, each once for all of its events.
 * Because the object is read from the vendor, the order and the number of the events do not matter.
 */
export const applyVendorEvents: DueWork = {
  ...APPLY_VENDOR_EVENTS,
  everyMs: 1_000,
  idleEveryMs: 4_000,
  retryMs: { first: 30_000, max: 3_600_000 },
  stopsAtFailure: false,
  run: async (app, { subject }) => {
    const object = reportedObjectOf(subject);
    // Events without a handler are not stored.
    await handlerOf(HANDLERS, object)?.(app, object);
    return undefined;
  },
};
