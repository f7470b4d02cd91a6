import type { App } from "../../app.ts";
import type { Mode } from "../../foundation/vocabulary.ts";

/** The job that reads the objects that vendors reported to have changed. Its items belong to no tenant. */
export const WORK_OFF_VENDOR_EVENTS = { kind: "work-off-vendor-events" };

/** An object of a vendor. All events of an object are one item of the job. */
export interface ReportedObject {
  readonly vendor: string;
  readonly mode: Mode;
  readonly objectType: string;
  readonly objectId: string;
}

export function subjectOf({ vendor, mode, objectType, objectId }: ReportedObject): string {
  return JSON.stringify([vendor, mode, objectType, objectId]);
}

export function reportedObjectOf(subject: string): ReportedObject {
  const [vendor, mode, objectType, objectId] = JSON.parse(subject);
  return { vendor, mode, objectType, objectId };
}

/** Reads an object from its vendor and applies its state. Can run several times, also at the same time. */
type RefreshObject = (app: App, object: Pick<ReportedObject, "mode" | "objectId">) => Promise<void>;

/** How objects are refreshed, by vendor and type of object: `stripe/invoice`. Two vendors can have the same type. */
export type ObjectHandlers = ReadonlyMap<`${string}/${string}`, RefreshObject>;

export function handlerOf(
  handlers: ObjectHandlers,
  { vendor, objectType }: Pick<ReportedObject, "vendor" | "objectType">,
): RefreshObject | undefined {
  return handlers.get(`${vendor}/${objectType}`);
}
