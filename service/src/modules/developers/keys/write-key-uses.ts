import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { touchApiKey } from "./queries.ts";

/**
 * Writes the recorded last uses of keys to the database. Uses that cannot be written stay recorded until the next call,
 * unless the key was used in the meantime.
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
