import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { type ApiKey, listApiKeys } from "./queries.ts";

/**
 * The tenant's keys, newest first, the revoked ones among them, with their last use as this process knows it. Keys stand
 * behind the wall for secrets, so they are read in a transaction.
 */
export async function listOwnApiKeys(
  app: Pick<App, "db" | "keyUses">,
  command: { readonly tenantId: TenantId; readonly modes: readonly Mode[] },
): Promise<ApiKey[]> {
  const keys = await withTransaction(app.db, command.tenantId, (tx) => listApiKeys(tx, command));
  return keys.map((key) => {
    const use = app.keyUses.get(key.keyId);
    return use === undefined ? key : { ...key, lastUsedAt: use.at, lastUsedNetwork: use.network };
  });
}
