import type { App } from "../app.ts";
import type { DueWork } from "../due-work/due-work.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import { refreshCharge, refreshInvoice, refreshPaymentMethod, refreshSetup } from "../modules/projects/index.ts";
import { type ObjectType, reportedObjectOf, WORK_OFF_VENDOR_EVENTS } from "../modules/vendor-webhooks/index.ts";

/** Reads an object from its vendor and applies its state. Can run several times, also at the same time. */
type RefreshObject = (app: App, object: { readonly mode: Mode; readonly objectId: string }) => Promise<void>;

const REFRESH: Readonly<Record<ObjectType, RefreshObject>> = {
  invoice: refreshInvoice,
  charge: refreshCharge,
  setup_intent: refreshSetup,
  payment_method: refreshPaymentMethod,
};

/**
 * Applies the current state of the vendors' objects that were reported to have changed, each once for all of its events.
 * Because the object is read from the vendor, the order and the number of the events do not matter.
 */
export const workOffVendorEvents: DueWork = {
  ...WORK_OFF_VENDOR_EVENTS,
  everyMs: 1_000,
  idleEveryMs: 4_000,
  retryMs: { first: 30_000, max: 3_600_000 },
  stopsAtFailure: false,
  run: async (app, { subject }) => {
    const object = reportedObjectOf(subject);
    // Only events of these types are stored.
    await REFRESH[object.objectType as ObjectType](app, object);
    return undefined;
  },
};
