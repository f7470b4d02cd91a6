import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { deleteExpired, listTenantsWithExpired } from "./queries.ts";

const TENANTS_MAX = 100;

/** Deletes the idempotency records whose retention period has ended. */
export async function purgeExpiredRecords({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<void> {
  const at = clock.now();
  for (const { tenantId } of await listTenantsWithExpired(db, { at, limit: TENANTS_MAX })) {
    await withTransaction(db, tenantId, (tx) => deleteExpired(tx, { tenantId, at }));
  }
}
