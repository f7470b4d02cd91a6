import { createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";
import type { LRUCache } from "lru-cache";
import { type DataKey, EnvelopeError, open, type SealContext, seal, sealedVersion } from "../crypto/envelope.ts";
import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { AppError } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { type DataKeyName, insertDataKey, listDataKeys, type WrappedDataKey } from "./queries.ts";

const DATA_KEY_BYTES = 32;

/** Creates a version of the tenant's data key. Does nothing if the version exists. */
export async function addDataKey(
  access: { readonly db: Db; readonly clock: Clock; readonly keyEncryptionKey: KeyEncryptionKey },
  name: DataKeyName,
): Promise<void> {
  const { db, clock, keyEncryptionKey } = access;
  const wrapped = await callKeyEncryptionKey(keyEncryptionKey.wrap(randomBytes(DATA_KEY_BYTES), name));
  const key = { ...name, keyEncryptionKeyId: keyEncryptionKey.id, wrapped, createdAt: clock.now() };
  await withTransaction(db, name.tenantId, (tx) => insertDataKey(tx, key));
}

/** Waits for a call that uses the key encryption key, such as a KMS call. Throws `service_unavailable` if it fails. */
function callKeyEncryptionKey<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((cause: unknown) => {
    const internal = "the key encryption key is unavailable, or cannot decrypt a data key";
    throw new AppError("service_unavailable", { internal, cause });
  });
}

/** Returns the tenant's data keys, newest first. */
export function loadDataKeys({ db }: { readonly db: Db }, tenantId: TenantId) {
  return withTransaction(db, tenantId, (tx) => listDataKeys(tx, tenantId));
}

/** How long a process caches decrypted data keys, in milliseconds. */
export const VAULT_TTL_MS = 60_000;

/**
 * The age at which a data key is first used to encrypt. It is twice the cache time, so that every process has loaded
 * the key by then, even if their clocks differ.
 */
export const ACTIVATION_DELAY_MS = 2 * VAULT_TTL_MS;

/** Identifies an encrypted value within a tenant. The vault adds the tenant's ID. */
export type VaultContext = Omit<SealContext, "tenantId">;

/**
 * A tenant's decrypted data keys. Encrypts and decrypts without an external call, so it can be used in a transaction.
 */
export interface TenantVault {
  seal(context: VaultContext, plaintext: string | Uint8Array): Buffer;
  /** Throws `EnvelopeError` if the bytes were changed or belong to another context. */
  open(context: VaultContext, sealed: Uint8Array): Buffer;
  /** The version of the data key that `seal` encrypts with. */
  readonly sealsUnder: number;
  /**
   * Returns `hmac-sha256:` and the hexadecimal HMAC of a text. The HMAC key is derived from the data key, so equal
   * texts have equal fingerprints until the data key is rotated.
   */
  fingerprint(text: string): string;
}

/** The dependencies of `openVault`. `vaults` caches each tenant's vault for at most a minute. */
export interface VaultAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyEncryptionKey: KeyEncryptionKey;
  readonly vaults: LRUCache<TenantId, TenantVault>;
}

/**
 * Opens the tenant's vault. Creates the tenant's first data key if there is none. May call the KMS, so call it before a
 * transaction and never inside one. Throws `service_unavailable` if the key encryption key is unavailable or cannot
 * decrypt a data key.
 */
export async function openVault(access: VaultAccess, tenantId: TenantId): Promise<TenantVault> {
  const cached = access.vaults.get(tenantId);
  if (cached !== undefined) return cached;

  const stored = await loadDataKeys(access, tenantId);
  const wrapped = stored.length > 0 ? stored : await createFirstKey(access, tenantId);
  const keys = await Promise.all(
    wrapped.map(async ({ version, keyEncryptionKeyId, wrapped }) => ({
      version,
      key: createSecretKey(
        await callKeyEncryptionKey(access.keyEncryptionKey.unwrap(wrapped, keyEncryptionKeyId, { tenantId, version })),
      ),
    })),
  );
  const vault = vaultOver(tenantId, keys, sealingVersion(wrapped, access.clock.now()));
  access.vaults.set(tenantId, vault);
  return vault;
}

async function createFirstKey(access: VaultAccess, tenantId: TenantId) {
  await addDataKey(access, { tenantId, version: 1 });
  return loadDataKeys(access, tenantId);
}

/** Returns the newest version that every process has loaded. If all versions are too new, returns the oldest one. */
function sealingVersion(newestFirst: readonly WrappedDataKey[], now: Date): number {
  const activeBefore = now.getTime() - ACTIVATION_DELAY_MS;
  const newest = newestFirst.find(({ createdAt }) => createdAt.getTime() <= activeBefore);
  const sealing = newest ?? newestFirst.at(-1);
  invariant(sealing !== undefined, "a tenant with an open vault has a data key");
  return sealing.version;
}

function vaultOver(tenantId: TenantId, keys: readonly DataKey[], sealsUnder: number): TenantVault {
  const byVersion = new Map(keys.map((key) => [key.version, key]));
  const sealing = byVersion.get(sealsUnder);
  invariant(sealing !== undefined, "the vault has the data key that it encrypts with");
  const hmacKey = Buffer.from(hkdfSync("sha256", sealing.key, "", "purser-fingerprint-v1", 32));
  return {
    sealsUnder,
    seal: (context, plaintext) => seal(sealing, { ...context, tenantId }, Buffer.from(plaintext)),
    open: (context, sealed) => {
      const key = byVersion.get(sealedVersion(sealed));
      if (key === undefined) throw new EnvelopeError("the data key was deleted");
      return open(key, { ...context, tenantId }, sealed);
    },
    fingerprint: (text) => `hmac-sha256:${createHmac("sha256", hmacKey).update(text).digest("hex")}`,
  };
}
