import type { App } from "../../../app.ts";
import { purgeByTenant } from "../../../db/purge-by-tenant.ts";
import { deleteDecisions, listOldDecisions, type OldDecision } from "./queries.ts";

const RETENTION_MS = 31 * 24 * 3_600_000;

/** Deletes decisions that are older than 31 days. Back-tests read those of 30 days. */
export async function purgeDecisions({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await purgeByTenant<OldDecision>(
    db,
    (page) => listOldDecisions(db, { before, ...page }),
    (tx, tenantId, decisions) =>
      deleteDecisions(tx, { tenantId, decisionIds: decisions.map(({ decisionId }) => decisionId) }),
  );
}
