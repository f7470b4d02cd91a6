import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { type ApiKey, listRevokedKeys, listUnrevokedKeys } from "./queries.ts";

export interface ListOwnApiKeys {
  readonly tenantId: TenantId;
  readonly modes: readonly Mode[];
  /** The ID of the last revoked key on the previous page. Undefined for the first page. */
  readonly beforeKeyId: string | undefined;
  readonly limit: number;
}

export interface ApiKeyPage {
  readonly keys: readonly ApiKey[];
  /** The ID of the last revoked key on this page. Null on the last page. */
  readonly nextBefore: string | null;
}

/**
 * Returns one page of the tenant's keys, newest first. Each key's last use includes uses buffered in this process. The
 * first page contains all keys that are not revoked and the newest revoked keys; later pages contain only revoked keys.
 */
export async function listOwnApiKeys(
  app: Pick<App, "db" | "keyUses">,
  { limit, ...command }: ListOwnApiKeys,
): Promise<ApiKeyPage> {
  const { current, found } = await withTransaction(app.db, command.tenantId, async (tx) => ({
    current: command.beforeKeyId === undefined ? await listUnrevokedKeys(tx, command) : [],
    found: await listRevokedKeys(tx, command, limit + 1),
  }));
  const revoked = found.slice(0, limit);
  const keys = [...current, ...revoked].sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.keyId < b.keyId ? 1 : -1),
  );
  return {
    keys: keys.map((key) => {
      const use = app.keyUses.get(key.keyId);
      return use === undefined ? key : { ...key, lastUsedAt: use.at, lastUsedNetwork: use.network };
    }),
    nextBefore: found.length > limit ? (revoked.at(-1)?.keyId ?? null) : null,
  };
}
