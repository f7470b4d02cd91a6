import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { deleteEvents, listOldEvents } from "./queries.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;
const BATCH_MAX = 5_000;

/** Deletes events that are older than 30 days, in batches that a statement can delete before its timeout. */
export async function purgeEvents(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  batchMax = BATCH_MAX,
): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  let count = batchMax;
  while (count === batchMax) {
    const batch = await listOldEvents(db, { before, limit: batchMax });
    for (const [tenantId, events] of Map.groupBy(batch, (event) => event.tenantId)) {
      const eventIds = events.map(({ eventId }) => eventId);
      await withTransaction(db, tenantId, (tx) => deleteEvents(tx, { tenantId, eventIds }));
    }
    count = batch.length;
  }
}
