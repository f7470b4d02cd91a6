import type { App } from "../app.ts";
import { refreshCharge, refreshInvoice, refreshPaymentMethod, refreshSetup } from "../modules/projects/index.ts";
import { type ObjectHandlers, receiveEvent, workOffEvents } from "../modules/vendor-webhooks/index.ts";

type VendorEventsApp = Pick<App, "db" | "clock" | "billing">;

/** The handlers of vendors' objects. A vendor that sends webhooks registers its own here. */
function handlersOf(app: VendorEventsApp): ObjectHandlers {
  return new Map([
    ["stripe/invoice", (object) => refreshInvoice(app, object)],
    ["stripe/charge", (object) => refreshCharge(app, object)],
    ["stripe/setup_intent", (object) => refreshSetup(app, object)],
    ["stripe/payment_method", (object) => refreshPaymentMethod(app, object)],
  ]);
}

/** Stores a verified event of a vendor, if a handler is registered for its object. */
export function receiveVendorEvent(app: VendorEventsApp, received: Parameters<typeof receiveEvent>[2]): Promise<void> {
  return receiveEvent(app, handlersOf(app), received);
}

/** Applies the current state of the vendors' objects that were reported to have changed. Returns their number. */
export function workOffVendorEvents(app: VendorEventsApp): Promise<number> {
  return workOffEvents(app, handlersOf(app));
}
