import type { Db } from "../../db/database.ts";
import { purgeByTenant } from "../../db/purge-by-tenant.ts";
import type { Clock } from "../../foundation/clock.ts";
import { deleteSignatures, type ExpiredSignature, listExpiredSignatures } from "./queries.ts";

/** Deletes the signatures of requests that are too old to be sent again. */
export async function purgeSignatures({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  const at = clock.now();
  await purgeByTenant<ExpiredSignature>(
    db,
    (page) => listExpiredSignatures(db, { at, ...page }),
    (tx, tenantId, signatures) =>
      deleteSignatures(tx, { tenantId, hashes: signatures.map((row) => row.signatureHash) }),
  );
}
