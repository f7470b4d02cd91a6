import type { Db } from "../db/database.ts";
import { PURGED_AT_ONCE_MAX } from "../db/delete-in-batches.ts";
import { itemsByTenant } from "../db/pages.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { tryEach } from "../foundation/try-each.ts";
import { deleteExpired, type ExpiredRecord, listExpired } from "./queries.ts";

/** Deletes the idempotency records whose retention period has ended. */
export async function purgeExpiredRecords({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<void> {
  const at = clock.now();
  const expired = itemsByTenant<ExpiredRecord>((after) =>
    listExpired(db, { at, after, limit: PURGED_AT_ONCE_MAX }),
  );
  await tryEach(expired, ([tenantId, keys]) =>
    withTransaction(db, tenantId, (tx) => deleteExpired(tx, { tenantId, keys, at })),
  );
}
