import type { App } from "../../app.ts";
import type { Row } from "../../db/schema.ts";

/** The job that reads the objects that vendors reported to have changed. Its items belong to no tenant. */
export const WORK_OFF_VENDOR_EVENTS = { kind: "work-off-vendor-events" };

/** An object of a vendor. All events of an object are one item of the job. */
type ReportedObject = Pick<Row<"vendorEvents">, "vendor" | "mode" | "objectType" | "objectId">;

/** The id of an object at its vendor. */
export type VendorObject = Pick<ReportedObject, "mode" | "objectId">;

export function subjectOf({ vendor, mode, objectType, objectId }: ReportedObject): string {
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
