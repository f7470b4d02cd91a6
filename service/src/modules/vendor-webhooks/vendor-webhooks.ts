import type { App } from "../../app.ts";
import type { Row } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import type { VendorEvent } from "../../ports/vendor-webhooks.ts";
import { vendorEventRows } from "./queries.ts";

/** The job that reads the objects that vendors reported to have changed. Its items belong to no tenant. */
export const APPLY_VENDOR_EVENTS = { kind: "apply-vendor-events" };

/** An object of a vendor. All events of an object are one item of the job. */
type ReportedObject = Pick<Row<"vendorEvents">, "vendor" | "mode" | "objectType" | "objectId">;

/** The id of an object at its vendor. */
export type VendorObject = Pick<ReportedObject, "mode" | "objectId">;

function subjectOf({ vendor, mode, objectType, objectId }: ReportedObject): string {
  return JSON.stringify([vendor, mode, objectType, objectId]);
}

export function reportedObjectOf(subject: string): ReportedObject {
  const [vendor, mode, objectType, objectId] = JSON.parse(subject);
  return { vendor, mode, objectType, objectId };
}

/** Reads an object from its vendor and applies its state. Can run several times, also at the same time. */
type RefreshObject = (app: App, object: VendorObject) => Promise<void>;

/** How objects are refreshed, by vendor and type of object: `stripe/invoice`. Two vendors can have the same type. */
export type ObjectHandlers = ReadonlyMap<`${string}/${string}`, RefreshObject>;

export function handlerOf(
  handlers: ObjectHandlers,
  { vendor, objectType }: Pick<ReportedObject, "vendor" | "objectType">,
): RefreshObject | undefined {
  return handlers.get(`${vendor}/${objectType}`);
}

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
    await scheduleWork(tx, APPLY_VENDOR_EVENTS, { tenantId: OPERATOR_TENANT, subject, dueAt: receivedAt });
  });
}
