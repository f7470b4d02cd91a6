import type { Db } from "../../db/database.ts";
import { PURGED_AT_ONCE_MAX } from "../../db/delete-in-batches.ts";
import { itemsByTenant } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Clock } from "../../foundation/clock.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { deleteSignatures, type ExpiredSignature, listExpiredSignatures } from "./queries.ts";

/** Deletes the signatures of requests that are too old to be sent again. */
export async function purgeSignatures({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<void> {
  const at = clock.now();
  const expired = itemsByTenant<ExpiredSignature>((after) =>
    listExpiredSignatures(db, { at, after, limit: PURGED_AT_ONCE_MAX }),
  );
  await tryEach(expired, ([tenantId, signatures]) => {
    const hashes = signatures.map(({ signatureHash }) => signatureHash);
    return withTransaction(db, tenantId, (tx) => deleteSignatures(tx, { tenantId, hashes }));
  });
}
