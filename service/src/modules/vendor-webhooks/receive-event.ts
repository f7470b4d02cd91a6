import type { App } from "../../app.ts";
import type { VendorEvent } from "../../ports/vendor-webhooks.ts";
import { insertVendorEvent } from "./queries.ts";
import { handlerOf, type ObjectHandlers } from "./work-off-events.ts";

/** Stores a verified event. Does nothing if it arrived before, or if no handler is registered for such objects. */
export async function receiveEvent(
  { db, clock }: Pick<App, "db" | "clock">,
  handlers: ObjectHandlers,
  { vendor, event }: { readonly vendor: string; readonly event: VendorEvent },
): Promise<void> {
  if (handlerOf(handlers, { vendor, objectType: event.objectType }) === undefined) return;
  const receivedAt = clock.now();
  await insertVendorEvent(db, { vendor, ...event, receivedAt, nextAttemptAt: receivedAt });
}
