import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { touchApiKey } from "./queries.ts";

/**
 * Writes down when keys were last used, one row for each key that was, however often. What cannot be written now is kept
 * for the next time, unless the key has been used again by then.
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
