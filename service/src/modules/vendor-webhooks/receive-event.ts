import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import type { VendorEvent } from "../../ports/vendor-webhooks.ts";
import { insertVendorEvent } from "./queries.ts";
import { subjectOf, WORK_OFF_VENDOR_EVENTS } from "./reported-object.ts";

/** The types of the objects whose events are stored. `work-off-events.ts` in `workflows` reads them from the vendor. */
export const OBJECT_TYPES = ["invoice", "charge", "setup_intent", "payment_method"] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

/** Stores a verified event. Does nothing if it arrived before, or if Purser does not use such objects. */
export async function receiveEvent(
  { db, clock }: Pick<App, "db" | "clock">,
  { vendor, event }: { readonly vendor: string; readonly event: VendorEvent },
): Promise<void> {
  if (!isUsed(event.objectType)) return;
  const receivedAt = clock.now();
  const { mode, objectType, objectId } = event;
  const subject = subjectOf({ vendor, mode, objectType, objectId });
  await withTransaction(db, OPERATOR_TENANT, async (tx) => {
    if (!(await insertVendorEvent(tx, { vendor, ...event, receivedAt }))) return;
    await scheduleWork(tx, WORK_OFF_VENDOR_EVENTS, { tenantId: OPERATOR_TENANT, subject, dueAt: receivedAt });
  });
}

function isUsed(objectType: string): objectType is ObjectType {
  return OBJECT_TYPES.some((used) => used === objectType);
}
