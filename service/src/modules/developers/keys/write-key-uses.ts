import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { touchApiKey } from "./queries.ts";

/**
 * Flushes the last-use times buffered in this process to the database. If a write fails, the use goes back to the
 * buffer unless a newer use has been recorded.
 */
export async function writeKeyUses(app: Pick<App, "db" | "keyUses">): Promise<void> {
  const uses = [...app.keyUses.values()];
  app.keyUses.clear();
  for (const use of uses) {
    await withTransaction(app.db, use.tenantId, (tx) => touchApiKey(tx, use)).catch(() => {
      if (!app.keyUses.has(use.keyId)) app.keyUses.set(use.keyId, use);
    });
  }
}
