import type { App } from "../../app.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { claimEvents, listDueObjects, markProcessed, type VendorObject } from "./queries.ts";
import type { ObjectType } from "./receive-event.ts";

const OBJECTS_MAX = 100;

/** Reads an object from its vendor and applies its state. Can run several times, also at the same time. */
export type RefreshObject = (object: { readonly mode: Mode; readonly objectId: string }) => Promise<void>;

/** For each type of object, how it is refreshed. */
export type RefreshObjects = Readonly<Record<ObjectType, RefreshObject>>;

/**
 * Refreshes the objects whose events are due, each once for all of its events. Because the object is read from the
 * vendor, the order and the number of the events do not matter. Returns the number of objects.
 */
export async function workOffEvents(app: Pick<App, "db" | "clock">, refresh: RefreshObjects): Promise<number> {
  const objects = await listDueObjects(app.db, { at: app.clock.now(), limit: OBJECTS_MAX });
  await tryEach(objects, (object) => workOff(app, refresh, object));
  return objects.length;
}

async function workOff(
  { db, clock }: Pick<App, "db" | "clock">,
  refresh: RefreshObjects,
  object: VendorObject,
): Promise<void> {
  const eventIds = await claimEvents(db, { ...object, at: clock.now() });
  if (eventIds.length === 0) return;
  // Only events of these types are stored.
  await refresh[object.objectType as ObjectType](object);
  await markProcessed(db, { ...object, eventIds, at: clock.now() });
}
