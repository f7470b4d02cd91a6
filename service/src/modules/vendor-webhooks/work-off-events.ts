import type { App } from "../../app.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { claimEvents, listDueObjects, markProcessed, type VendorObject } from "./queries.ts";

const OBJECTS_MAX = 100;

/** Reads an object from its vendor and applies its state. Can run several times, also at the same time. */
export type RefreshObject = (object: { readonly mode: Mode; readonly objectId: string }) => Promise<void>;

/** How objects are refreshed, by vendor and type of object: `stripe/invoice`. Two vendors can have the same type. */
export type ObjectHandlers = ReadonlyMap<`${string}/${string}`, RefreshObject>;

export function handlerOf(
  handlers: ObjectHandlers,
  { vendor, objectType }: Pick<VendorObject, "vendor" | "objectType">,
): RefreshObject | undefined {
  return handlers.get(`${vendor}/${objectType}`);
}

/**
 * Refreshes the objects whose events are due, each once for all of its events. Because the object is read from the
 * vendor, the order and the number of the events do not matter. Returns the number of objects.
 */
export async function workOffEvents(app: Pick<App, "db" | "clock">, handlers: ObjectHandlers): Promise<number> {
  const objects = await listDueObjects(app.db, { at: app.clock.now(), limit: OBJECTS_MAX });
  await tryEach(objects, (object) => workOff(app, handlers, object));
  return objects.length;
}

async function workOff(
  { db, clock }: Pick<App, "db" | "clock">,
  handlers: ObjectHandlers,
  object: VendorObject,
): Promise<void> {
  const eventIds = await claimEvents(db, { ...object, at: clock.now() });
  if (eventIds.length === 0) return;
  // Events without a handler are not stored.
  await handlerOf(handlers, object)?.(object);
  await markProcessed(db, { ...object, eventIds, at: clock.now() });
}
