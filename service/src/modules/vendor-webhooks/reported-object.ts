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
