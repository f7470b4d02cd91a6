import type { Db } from "../db/database.ts";
import { PURGED_AT_ONCE_MAX } from "../db/delete-in-batches.ts";
import { itemsByTenant } from "../db/pages.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { tryEach } from "../foundation/try-each.ts";
import { deleteEvents, listOldEvents, type OldEvent } from "./queries.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes events that are older than 30 days. */
export async function purgeEvents({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  const old = itemsByTenant<OldEvent>((after) =>
    listOldEvents(db, { before, after, limit: PURGED_AT_ONCE_MAX }),
  );
  await tryEach(old, ([tenantId, events]) => {
    const eventIds = events.map(({ eventId }) => eventId);
    return withTransaction(db, tenantId, (tx) => deleteEvents(tx, { tenantId, eventIds }));
  });
}
