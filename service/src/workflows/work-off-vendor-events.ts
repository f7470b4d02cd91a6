import type { App } from "../app.ts";
import { refreshCharge, refreshInvoice, refreshPaymentMethod, refreshSetup } from "../modules/projects/index.ts";
import { workOffEvents } from "../modules/vendor-webhooks/index.ts";

/** Applies the current state of the vendors' objects that were reported to have changed. Returns their number. */
export function workOffVendorEvents(app: Pick<App, "db" | "clock" | "billing">): Promise<number> {
  return workOffEvents(app, {
    invoice: (object) => refreshInvoice(app, object),
    charge: (object) => refreshCharge(app, object),
    setup_intent: (object) => refreshSetup(app, object),
    payment_method: (object) => refreshPaymentMethod(app, object),
  });
}
