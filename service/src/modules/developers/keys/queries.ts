import type { ExpressionBuilder, Insertable } from "kysely";
import { compileOnce } from "../../../db/compile-once.ts";
import type { Tx } from "../../../db/database.ts";
import { isOlderThan } from "../../../db/pages.ts";
import type { Row, Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { countRows, rowsWhere, updateWhere, type Values } from "../../../db/where.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";

/** An API key. The type leaves out the encrypted signing key, so that no code presents or logs it. */
export type ApiKey = Omit<Row<"apiKeys">, "signingKeySealed" | "signingKeySealedUnder">;

export const apiKeyRows = tableOf("apiKeys", ["tenantId", "keyId"]);

/** The tenants and ids of keys, by the keys' hashes. */
export const apiKeyLookupRows = tableOf("apiKeyLookups", ["keyHash"]);

/**
 * Returns the key with its encrypted signing key, and its developer's status. Must run in a transaction of the tenant.
 */
export async function findSigningApiKey(tx: Tx, { tenantId, keyId }: KeyName) {
  const [key] = await selectSigningApiKey(tx, { tenantId, keyId });
  return key;
}

type KeyName = Pick<ApiKey, "tenantId" | "keyId">;

const selectSigningApiKey = compileOnce((tx, { tenantId, keyId }: KeyName) =>
  tx
    .selectFrom("apiKeys as key")
    .innerJoin("developers as developer", "developer.tenantId", "key.tenantId")
    .selectAll("key")
    .select(["developer.status as developerStatus", "developer.emailVerifiedAt"])
    .where("key.tenantId", "=", tenantId)
    .where("key.keyId", "=", keyId),
);

function selectKeys(tx: Tx, values: Values<"apiKeys">) {
  return rowsWhere(tx, "apiKeys", values).orderBy("createdAt", "desc").orderBy("keyId", "desc");
}

/** The tenant's keys of these modes. */
interface OwnKeys {
  readonly tenantId: TenantId;
  readonly modes: readonly Mode[];
}

export async function listUnrevokedKeys(tx: Tx, { tenantId, modes }: OwnKeys): Promise<ApiKey[]> {
  return selectKeys(tx, { tenantId }).where("mode", "in", modes).where("revokedAt", "is", null).execute();
}

/** Returns the tenant's revoked keys that were created before the key `beforeKeyId`, newest first. */
export async function listRevokedKeys(
  tx: Tx,
  { tenantId, modes, beforeKeyId }: OwnKeys & { readonly beforeKeyId: string | undefined },
  limit: number,
): Promise<ApiKey[]> {
  return selectKeys(tx, { tenantId })
    .where("mode", "in", modes)
    .where("revokedAt", "is not", null)
    .where(isOlderThan(beforeKeyId, { tenantId, table: "apiKeys", column: "keyId" }))
    .limit(limit)
    .execute();
}

/** Returns the key, or throws `api_key_not_found`. The row stays locked until the transaction ends. */
export async function lockApiKey(
  tx: Tx,
  { tenantId, modes, keyId }: OwnKeys & { readonly keyId: string },
): Promise<ApiKey> {
  const key = await apiKeyRows.lock(tx, { tenantId, keyId: keyId as ApiKeyId });
  if (key === undefined || !modes.includes(key.mode)) {
    throw new AppError("api_key_not_found", { internal: `${tenantId} has no key ${keyId}` });
  }
  return key;
}

/** Returns the key's predecessor if that is still in its grace period. The list contains at most one key. */
export async function listRetiringPredecessors(tx: Tx, key: ApiKey, at: Date): Promise<ApiKey[]> {
  return rowsWhere(tx, "apiKeys", { tenantId: key.tenantId, replacedBy: key.keyId }).where(worksAt(at)).execute();
}

export async function listUsableKeys(tx: Tx, tenantId: TenantId, at: Date): Promise<ApiKey[]> {
  return selectKeys(tx, { tenantId }).where(worksAt(at)).execute();
}

/** Returns at most two pairs, newest first: the current one and one in its grace period. */
export async function listUsableAccountPairs(
  tx: Tx,
  { tenantId, mode, at }: { readonly tenantId: TenantId; readonly mode: Mode; readonly at: Date },
): Promise<ApiKey[]> {
  return selectKeys(tx, { tenantId, mode, isAccountPair: true }).where(worksAt(at)).execute();
}

export async function insertApiKey(tx: Tx, key: Insertable<Schema["apiKeys"]>): Promise<ApiKey> {
  const { tenantId, keyId, keyHash } = key;
  await apiKeyLookupRows.insert(tx, { keyHash, tenantId, keyId });
  return apiKeyRows.insertAndGet(tx, key);
}

export async function countUsableLiveKeys(tx: Tx, tenantId: TenantId, at: Date): Promise<number> {
  return countRows(rowsWhere(tx, "apiKeys", { tenantId, mode: "live" }).where(worksAt(at)));
}

export async function countActiveKeys(tx: Tx, tenantId: TenantId, at: Date): Promise<number> {
  return countRows(rowsWhere(tx, "apiKeys", { tenantId }).where("replacedBy", "is", null).where(worksAt(at)));
}

function worksAt(at: Date) {
  return ({ and, or, eb }: ExpressionBuilder<Schema, "apiKeys">) =>
    and([
      eb("revokedAt", "is", null),
      or([eb("expiresAt", "is", null), eb("expiresAt", ">", at)]),
      or([eb("graceExpiresAt", "is", null), eb("graceExpiresAt", ">", at)]),
    ]);
}

/** Updates the time and network of a key's last use, unless a later use is already stored. */
export async function touchApiKey(
  tx: Tx,
  use: KeyName & { readonly at: Date; readonly network: string },
): Promise<void> {
  await updateWhere(tx, "apiKeys", { tenantId: use.tenantId, keyId: use.keyId })
    .set({ lastUsedAt: use.at, lastUsedNetwork: use.network })
    .where((key) => key.or([key("lastUsedAt", "is", null), key("lastUsedAt", "<", use.at)]))
    .execute();
}
