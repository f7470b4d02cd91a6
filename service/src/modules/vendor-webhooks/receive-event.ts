import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import type { VendorEvent } from "../../ports/vendor-webhooks.ts";
import { vendorEventRows } from "./queries.ts";
import { handlerOf, type ObjectHandlers, subjectOf, WORK_OFF_VENDOR_EVENTS } from "./reported-object.ts";

/** Stores a verified event. Does nothing if it arrived before, or if no handler is registered for such objects. */
export async function receiveEvent(
  { db, clock }: Pick<App, "db" | "clock">,
  handlers: ObjectHandlers,
  { vendor, event }: { readonly vendor: string; readonly event: VendorEvent },
): Promise<void> {
  if (handlerOf(handlers, { vendor, objectType: event.objectType }) === undefined) return;
  const receivedAt = clock.now();
  const { mode, objectType, objectId } = event;
  const subject = subjectOf({ vendor, mode, objectType, objectId });
  await withTransaction(db, OPERATOR_TENANT, async (tx) => {
    if (!(await vendorEventRows.insertIfNew(tx, { vendor, ...event, receivedAt }))) return;
    await scheduleWork(tx, WORK_OFF_VENDOR_EVENTS, { tenantId: OPERATOR_TENANT, subject, dueAt: receivedAt });
  });
}
