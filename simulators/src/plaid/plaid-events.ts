import type { VendorContext } from "../kit/vendor-simulator.ts";

const item = { objectType: "item", idField: "item_id" } as const;

/**
 * The webhooks, by type and code: the object that each is about, and the state that it reports. A reviewer clears only
 * screenings that wait for one.
 */
export const REPORTS = {
  "ITEM.ERROR": { ...item, state: "login_required" },
  "ITEM.LOGIN_REPAIRED": { ...item, state: "good" },
  "AUTH.AUTOMATICALLY_VERIFIED": { ...item, state: "good" },
  "AUTH.VERIFICATION_EXPIRED": { ...item, state: "verification_expired" },
  "SCREENING.STATUS_UPDATED": { objectType: "individual_screening", idField: "screening_id", state: "cleared" },
  "ENTITY_SCREENING.STATUS_UPDATED": {
    objectType: "entity_screening",
    idField: "entity_screening_id",
    state: "cleared",
  },
} as const;

export type PlaidEventType = keyof typeof REPORTS;

export interface PlaidEvents {
  /**
   * Gives the object the state that the event reports, and sends the webhook without waiting for the response. Returns the
   * SHA-256 of the webhook's body and time, because Plaid's webhooks have no ids.
   */
  emit(context: VendorContext, type: PlaidEventType, objectId: string): Promise<string>;
}
