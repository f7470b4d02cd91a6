import { LRUCache } from "lru-cache";
import { createFileKeyEncryptionKey } from "../src/adapters/key-encryption-key/file-key-encryption-key.ts";
import type { App } from "../src/app.ts";
import { openDatabase } from "../src/db/database.ts";
import { withTransaction } from "../src/db/transaction.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { newId, type TenantId } from "../src/foundation/ids.ts";
import type { Mode, Scope } from "../src/foundation/vocabulary.ts";
import { issueApiKey } from "../src/modules/developers/keys/api-keys.ts";
import { apiKeyRows } from "../src/modules/developers/keys/queries.ts";
import { getDeveloperProfile, insertDeveloper, passwordRows } from "../src/modules/developers/queries.ts";
import { grantOf, openSession, type SessionGrant } from "../src/modules/developers/sessions/start-session.ts";
import { openVault } from "../src/vault/vault.ts";

/**
 * The part of the app that seed functions need. A harness provides it; tests that start server processes call
 * `openSeedApp`.
 */
export type SeedApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">;

export interface KeySeed {
  readonly mode?: Mode;
  readonly scopes?: readonly Scope[];
  readonly agentIds?: readonly string[];
  readonly projectIds?: readonly string[];
  readonly rateLimitPerMinute?: number;
  readonly ipAllowlist?: readonly string[];
  readonly expiresAt?: Date;
  readonly graceExpiresAt?: Date;
  readonly replacedBy?: string;
  readonly isAccountPair?: boolean;
}

export interface SeededKey {
  readonly keyId: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/**
 * Connects seed functions to the database of running server processes. `keyEncryptionKey` must be the key that the
 * processes use. The caller must destroy `db` afterwards.
 */
export function openSeedApp(options: { databaseUrl: string; keyEncryptionKey: string }): SeedApp {
  return {
    db: openDatabase({
      url: options.databaseUrl,
      connectionsMax: { requests: 2, authentication: 1, jobs: 1 },
      statementTimeoutMs: 20_000,
      readTimeoutMs: 10_000,
      connectTimeoutMs: 5_000,
      onError: () => {},
    }),
    clock: systemClock,
    keyEncryptionKey: createFileKeyEncryptionKey(options.keyEncryptionKey),
    vaults: new LRUCache({ max: 1_000, ttl: 60_000 }),
  };
}

/** Inserts a developer with a verified email address. */
export async function seedDeveloper({ db, clock }: SeedApp): Promise<TenantId> {
  const tenantId = newId("dev");
  const email = `${tenantId}@example.com`;
  const at = clock.now();
  await withTransaction(db, tenantId, async (tx) => {
    await insertDeveloper(tx, {
      tenantId,
      email,
      status: "active",
      emailVerifiedAt: at,
      createdAt: at,
      updatedAt: at,
    });
  });
  return tenantId;
}

export async function seedPassword(app: SeedApp, tenantId: TenantId, hash: string): Promise<void> {
  const updatedAt = app.clock.now();
  await withTransaction(app.db, tenantId, (tx) => passwordRows.put(tx, { tenantId, hash, updatedAt }));
}

/** Inserts a session for the developer and returns its tokens. */
export async function seedSession(app: SeedApp & Pick<App, "accessTokens">, tenantId: TenantId): Promise<SessionGrant> {
  const at = app.clock.now();
  const opened = await withTransaction(app.db, tenantId, async (tx) => {
    const developer = await getDeveloperProfile(tx, tenantId);
    const client = { network: "127.0.0.1", userAgent: null, requestId: "req_seeded" };
    return openSession(tx, { developer, client, method: "password", secondFactor: null, at });
  });
  return grantOf(app, opened, at);
}

/** Inserts a key pair for the developer, in live mode by default. */
export async function seedKeyPair(
  app: SeedApp,
  tenantId: TenantId,
  { mode = "live", ...change }: KeySeed = {},
): Promise<SeededKey> {
  const vault = await openVault(app, tenantId);
  const issued = await withTransaction(app.db, tenantId, async (tx) => {
    const created = await issueApiKey(tx, vault, {
      tenantId,
      mode,
      name: "test",
      createdAt: app.clock.now(),
      isAccountPair: false,
    });
    if (Object.keys(change).length > 0) await apiKeyRows.update(tx, created.key, change);
    return created;
  });
  return { keyId: issued.key.keyId, apiKey: issued.apiKey, apiSecret: issued.apiSecret ?? "" };
}
