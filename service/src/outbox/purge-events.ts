import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { deleteEvents, listOldEvents, type OldEvent } from "./queries.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;
const BATCH_MAX = 1_000;

/**
 * Deletes events that are older than 30 days, in batches. The last event of each subject remains, because the next
 * sequence number is derived from it.
 */
export async function purgeEvents(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  batchMax = BATCH_MAX,
): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  let previous: Pick<OldEvent, "occurredAt" | "eventId"> = { occurredAt: new Date(0), eventId: "" };
  let batch: OldEvent[];
  do {
    batch = await listOldEvents(db, { before, previous, limit: batchMax });
    const deletable = batch.filter(({ isLast }) => !isLast);
    for (const [tenantId, events] of Map.groupBy(deletable, (event) => event.tenantId)) {
      const eventIds = events.map(({ eventId }) => eventId);
      await withTransaction(db, tenantId, (tx) => deleteEvents(tx, { tenantId, eventIds }));
    }
    previous = batch.at(-1) ?? previous;
  } while (batch.length === batchMax);
}
