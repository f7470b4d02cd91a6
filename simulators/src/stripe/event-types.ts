import type { VendorContext } from "../kit/vendor-simulator.ts";

/** The events that the simulator sends. The part before the dot is the type of the object. */
export const EVENT_TYPES = [
  "invoice.finalized",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.voided",
  "charge.refunded",
  "setup_intent.succeeded",
  "setup_intent.requires_action",
  "setup_intent.setup_failed",
  "payment_method.attached",
  "payment_method.detached",
] as const;

export type StripeEventType = (typeof EVENT_TYPES)[number];

export interface StripeEvents {
  /** Sends an event with the object's current state, without waiting for the response. Returns the event's id. */
  emit(
    context: Pick<VendorContext, "objects" | "baseUrl" | "now">,
    type: StripeEventType,
    objectId: string,
  ): Promise<string>;
}
