import type { Db } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Clock } from "../../foundation/clock.ts";
import { deleteSignatures, listExpiredSignatures } from "./queries.ts";

const BATCH_MAX = 5_000;

/** Deletes the signatures of requests that are too old to be sent again, in batches. */
export async function purgeSignatures(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  batchMax = BATCH_MAX,
): Promise<void> {
  const at = clock.now();
  let count = batchMax;
  while (count === batchMax) {
    const batch = await listExpiredSignatures(db, { at, limit: batchMax });
    for (const [tenantId, signatures] of Map.groupBy(batch, (row) => row.tenantId)) {
      const hashes = signatures.map(({ signatureHash }) => signatureHash);
      await withTransaction(db, tenantId, (tx) => deleteSignatures(tx, { tenantId, hashes }));
    }
    count = batch.length;
  }
}
