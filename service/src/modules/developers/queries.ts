import type { Insertable, Selectable, Updateable } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { ApiKeyTable, DeveloperTable } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ApiKeyId, TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";

export type Developer = Selectable<DeveloperTable>;
/** A key as its owner sees it: without what only signing needs. */
export type ApiKey = Omit<Selectable<ApiKeyTable>, "signingKeySealed">;
export type NewApiKey = Insertable<ApiKeyTable>;

export async function findDeveloper(db: Db, tenantId: TenantId): Promise<Developer | undefined> {
  const [developer] = await selectDeveloper(db, { tenantId });
  return developer;
}

const selectDeveloper = compileOnce((db, { tenantId }: { readonly tenantId: TenantId }) =>
  db.selectFrom("developers").selectAll().where("tenantId", "=", tenantId),
);

export async function getDeveloper(db: Db, tenantId: TenantId): Promise<Developer> {
  const developer = await findDeveloper(db, tenantId);
  if (developer === undefined) {
    throw new AppError("developer_not_found", { internal: `no developer ${tenantId}` });
  }
  return developer;
}

/** The developer, locked until the transaction ends. */
export async function lockDeveloper(tx: Tx, tenantId: TenantId): Promise<Developer> {
  return tx
    .selectFrom("developers")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function insertDeveloper(
  tx: Tx,
  developer: Insertable<DeveloperTable>,
): Promise<Developer> {
  return tx.insertInto("developers").values(developer).returningAll().executeTakeFirstOrThrow();
}

export async function updateDeveloper(
  tx: Tx,
  tenantId: TenantId,
  change: Updateable<DeveloperTable>,
): Promise<Developer> {
  return tx
    .updateTable("developers")
    .set(change)
    .where("tenantId", "=", tenantId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The tenant whose address this is. The address is lower case. */
export async function findTenantByEmail(db: Db, email: string): Promise<TenantId | undefined> {
  const row = await db
    .selectFrom("developerEmails")
    .select("tenantId")
    .where("email", "=", email)
    .executeTakeFirst();
  return row?.tenantId;
}

/** Takes the address for the tenant. False when it is somebody's already. */
export async function insertDeveloperEmail(
  tx: Tx,
  row: { readonly email: string; readonly tenantId: TenantId },
): Promise<boolean> {
  const inserted = await tx
    .insertInto("developerEmails")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("email")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Which tenant's key has this hash. */
export async function findApiKeyLookup(db: Db, keyHash: string) {
  return db
    .selectFrom("apiKeyLookups")
    .select(["tenantId", "keyId"])
    .where("keyHash", "=", keyHash)
    .executeTakeFirst();
}

/** The key with its sealed signing key, and its owner's standing. Read in a transaction of the tenant. */
export async function findSigningApiKey(
  tx: Tx,
  { tenantId, keyId }: { readonly tenantId: TenantId; readonly keyId: ApiKeyId },
) {
  return tx
    .selectFrom("apiKeys as key")
    .innerJoin("developers as developer", "developer.tenantId", "key.tenantId")
    .selectAll("key")
    .select(["developer.status as developerStatus", "developer.emailVerifiedAt"])
    .where("key.tenantId", "=", tenantId)
    .where("key.keyId", "=", keyId)
    .executeTakeFirst();
}

const API_KEY_COLUMNS = [
  "tenantId",
  "keyId",
  "mode",
  "name",
  "keyHash",
  "keyHint",
  "signatureAlg",
  "publicKey",
  "isAccountPair",
  "scopes",
  "agentIds",
  "projectIds",
  "ipAllowlist",
  "rateLimitPerMinute",
  "metadata",
  "createdBy",
  "expiresAt",
  "lastUsedAt",
  "lastUsedNetwork",
  "rotatedFrom",
  "replacedBy",
  "graceExpiresAt",
  "revokedAt",
  "revokeReason",
  "createdAt",
  "updatedAt",
] as const;

/** The tenant's keys of the given modes, newest first, the revoked ones among them. */
export async function listApiKeys(
  tx: Tx,
  { tenantId, modes }: { readonly tenantId: TenantId; readonly modes: readonly Mode[] },
): Promise<ApiKey[]> {
  return tx
    .selectFrom("apiKeys")
    .select(API_KEY_COLUMNS)
    .where("tenantId", "=", tenantId)
    .where("mode", "in", modes)
    .orderBy("createdAt", "desc")
    .orderBy("keyId", "desc")
    .execute();
}

/** The key, locked until the transaction ends, or `api_key_not_found`. */
export async function lockApiKey(
  tx: Tx,
  {
    tenantId,
    modes,
    keyId,
  }: { readonly tenantId: TenantId; readonly modes: readonly Mode[]; readonly keyId: string },
): Promise<ApiKey> {
  const key = await tx
    .selectFrom("apiKeys")
    .select(API_KEY_COLUMNS)
    .where("tenantId", "=", tenantId)
    .where("mode", "in", modes)
    .where("keyId", "=", keyId as ApiKeyId)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) {
    throw new AppError("api_key_not_found", { internal: `no key ${keyId} of ${tenantId}` });
  }
  return key;
}

/** Keeps a new key, and its place in the look-up of all keys. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<ApiKey> {
  const { tenantId, keyId, keyHash } = key;
  await tx.insertInto("apiKeyLookups").values({ keyHash, tenantId, keyId }).execute();
  return tx.insertInto("apiKeys").values(key).returning(API_KEY_COLUMNS).executeTakeFirstOrThrow();
}

export async function updateApiKey(
  tx: Tx,
  { tenantId, keyId }: { readonly tenantId: TenantId; readonly keyId: ApiKeyId },
  change: Updateable<ApiKeyTable>,
): Promise<ApiKey> {
  return tx
    .updateTable("apiKeys")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("keyId", "=", keyId)
    .returning(API_KEY_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** How many live keys of the tenant still work at `at`. */
export async function countUsableLiveKeys(
  tx: Tx,
  { tenantId, at }: { readonly tenantId: TenantId; readonly at: Date },
): Promise<bigint> {
  const { count } = await tx
    .selectFrom("apiKeys")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("tenantId", "=", tenantId)
    .where("mode", "=", "live")
    .where("revokedAt", "is", null)
    .where((key) => key.or([key("expiresAt", "is", null), key("expiresAt", ">", at)]))
    .where((key) => key.or([key("graceExpiresAt", "is", null), key("graceExpiresAt", ">", at)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** Notes when keys were last used. A later use that was noted before stays. */
export async function touchApiKey(
  tx: Tx,
  use: {
    readonly tenantId: TenantId;
    readonly keyId: ApiKeyId;
    readonly at: Date;
    readonly network: string;
  },
): Promise<void> {
  await tx
    .updateTable("apiKeys")
    .set({ lastUsedAt: use.at, lastUsedNetwork: use.network })
    .where("tenantId", "=", use.tenantId)
    .where("keyId", "=", use.keyId)
    .where((key) => key.or([key("lastUsedAt", "is", null), key("lastUsedAt", "<", use.at)]))
    .execute();
}

/** A session that is good at `at`, with its developer's standing. */
export async function findLiveSession(db: Db, key: LiveSessionKey) {
  const [session] = await selectLiveSession(db, key);
  return session;
}

interface LiveSessionKey {
  readonly tenantId: TenantId;
  readonly sessionId: string;
  readonly at: Date;
}

const selectLiveSession = compileOnce((db, { tenantId, sessionId, at }: LiveSessionKey) =>
  db
    .selectFrom("sessions as session")
    .innerJoin("developers as developer", "developer.tenantId", "session.tenantId")
    .select(["developer.status", "developer.emailVerifiedAt"])
    .where("session.tenantId", "=", tenantId)
    .where("session.sessionId", "=", sessionId)
    .where("session.revokedAt", "is", null)
    .where("session.expiresAt", ">", at)
    .where("developer.status", "not in", ["suspended", "closed"]),
);

/** The stored hash of the tenant's password. Read in a transaction of the tenant. */
export async function findPasswordHash(tx: Tx, tenantId: TenantId): Promise<string | undefined> {
  const row = await tx
    .selectFrom("developerPasswords")
    .select("hash")
    .where("tenantId", "=", tenantId)
    .executeTakeFirst();
  return row?.hash;
}

/** Sets the tenant's password, whatever it was before. */
export async function putPasswordHash(
  tx: Tx,
  password: { readonly tenantId: TenantId; readonly hash: string; readonly updatedAt: Date },
): Promise<void> {
  const { hash, updatedAt } = password;
  await tx
    .insertInto("developerPasswords")
    .values(password)
    .onConflict((conflict) => conflict.column("tenantId").doUpdateSet({ hash, updatedAt }))
    .execute();
}
