import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { deleteOldEvents, listTenantsWithOldEvents } from "./queries.ts";

const KEPT_MS = 30 * 24 * 3_600_000;
const TENANTS_MAX = 100;
const BATCH_MAX = 1_000;

/** Deletes events that are older than thirty days, in batches, each in a transaction of its own. */
export async function purgeEvents(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  batchMax = BATCH_MAX,
): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  for (const tenantId of await listTenantsWithOldEvents(db, { before, limit: TENANTS_MAX })) {
    const batch = { tenantId, before, limit: batchMax };
    let deleted: number;
    do {
      deleted = await withTransaction(db, tenantId, (tx) => deleteOldEvents(tx, batch));
    } while (deleted === batchMax);
  }
}
