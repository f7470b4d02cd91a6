import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { deleteFailures, listTenantsWithFailures } from "./queries.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;
const TENANTS_MAX = 100;

/** Deletes authentication failures that are older than 30 days. */
export async function purgeAuthFailures(app: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(app.clock.now().getTime() - RETENTION_MS);
  const tenants = await listTenantsWithFailures(app.db, { before, limit: TENANTS_MAX });
  for (const tenantId of tenants) {
    await withTransaction(app.db, tenantId, (tx) => deleteFailures(tx, { tenantId, before }));
  }
}
