import type { App } from "../../../app.ts";
import { PURGED_AT_ONCE_MAX } from "../../../db/delete-in-batches.ts";
import { itemsByTenant } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { deleteFailures, listOldFailures, type OldFailure } from "./queries.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes authentication failures that are older than 30 days. */
export async function purgeAuthFailures({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  const old = itemsByTenant<OldFailure>((after) =>
    listOldFailures(db, { before, after, limit: PURGED_AT_ONCE_MAX }),
  );
  await tryEach(old, ([tenantId, failures]) => {
    const failureIds = failures.map(({ failureId }) => failureId);
    return withTransaction(db, tenantId, (tx) => deleteFailures(tx, { tenantId, failureIds }));
  });
}
