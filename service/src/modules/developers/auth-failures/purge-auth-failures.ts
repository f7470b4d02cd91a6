import type { App } from "../../../app.ts";
import { purgeByTenant } from "../../../db/purge-by-tenant.ts";
import { deleteFailures, listOldFailures, type OldFailure } from "./queries.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes authentication failures that are older than 30 days. */
export async function purgeAuthFailures({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await purgeByTenant<OldFailure>(
    db,
    (page) => listOldFailures(db, { before, ...page }),
    (tx, tenantId, failures) =>
      deleteFailures(tx, { tenantId, failureIds: failures.map(({ failureId }) => failureId) }),
  );
}
