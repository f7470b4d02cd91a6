import type { Db } from "../db/database.ts";
import { purgeByTenant } from "../db/purge-by-tenant.ts";
import type { Clock } from "../foundation/clock.ts";
import { deleteExpired, type ExpiredRecord, listExpired } from "./queries.ts";

/** Deletes the idempotency records whose retention period has ended. */
export async function purgeExpiredRecords({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  const at = clock.now();
  await purgeByTenant<ExpiredRecord>(
    db,
    (page) => listExpired(db, { at, ...page }),
    (tx, tenantId, keys) => deleteExpired(tx, { tenantId, keys, at }),
  );
}
