import { createHmac, createSecretKey, hkdfSync } from "node:crypto";
import type { LRUCache } from "lru-cache";
import {
  type DataKey,
  EnvelopeError,
  open,
  type SealContext,
  seal,
  sealedVersion,
} from "../crypto/envelope.ts";
import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import type { TenantId } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { addDataKey } from "./add-data-key.ts";
import { callKeyEncryptionKey } from "./call-key-encryption-key.ts";
import { listDataKeys, type WrappedDataKey } from "./queries.ts";

/** For how long a process works with what it unwrapped, at most: `vaults` is made with it. */
export const VAULT_TTL_MS = 60_000;

/**
 * How old a data key is when values are first sealed under it: so old that every vault has it, in whichever process and
 * whatever its clock says. What one process seals, all can open.
 */
export const PUBLISHED_MS = 2 * VAULT_TTL_MS;

/** Where a value stands; the tenant is the vault's own. */
export type VaultContext = Omit<SealContext, "tenantId">;

/** A tenant's data keys, unwrapped: seals and opens without asking anybody, so it may be used inside a transaction. */
export interface TenantVault {
  seal(context: VaultContext, plaintext: string | Uint8Array): Buffer;
  /** Throws EnvelopeError where the bytes were changed or belong elsewhere. */
  open(context: VaultContext, sealed: Uint8Array): Buffer;
  /** The version of the data key that `seal` uses. */
  readonly sealsUnder: number;
  /**
   * `hmac-sha256:` and the hex HMAC of a text, under a key that follows from the data key: tells two values apart, or the
   * same one again, without saying anything of either. Comparable until the data key is rotated.
   */
  fingerprint(text: string): string;
}

/** What opening a vault takes. `vaults` keeps the unwrapped keys of busy tenants for a minute at most. */
export interface VaultAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyEncryptionKey: KeyEncryptionKey;
  readonly vaults: LRUCache<TenantId, TenantVault>;
}

/**
 * Opens the tenant's vault, and gives a tenant without a data key its first one. Asks the key encryption key, so it is
 * called before a transaction and never in one. Throws `service_unavailable` when that key does not answer or does not open
 * what is stored: without it there is nothing to fall back to.
 */
export async function openVault(access: VaultAccess, tenantId: TenantId): Promise<TenantVault> {
  const known = access.vaults.get(tenantId);
  if (known !== undefined) return known;

  const stored = await storedKeys(access, tenantId);
  const wrapped = stored.length > 0 ? stored : await createFirstKey(access, tenantId);
  const keys = await Promise.all(
    wrapped.map(async ({ version, keyEncryptionKeyId, wrapped }) => ({
      version,
      key: createSecretKey(
        await callKeyEncryptionKey(
          access.keyEncryptionKey.unwrap(wrapped, keyEncryptionKeyId, { tenantId, version }),
        ),
      ),
    })),
  );
  const vault = vaultOver(tenantId, keys, sealingVersion(wrapped, access.clock.now()));
  access.vaults.set(tenantId, vault);
  return vault;
}

async function storedKeys({ db }: VaultAccess, tenantId: TenantId) {
  return withTransaction(db, tenantId, (tx) => listDataKeys(tx, tenantId));
}

async function createFirstKey(access: VaultAccess, tenantId: TenantId) {
  await addDataKey(access, { tenantId, version: 1 });
  return storedKeys(access, tenantId);
}

/** The newest that every process has; before there is one, the tenant's first. */
function sealingVersion(newestFirst: readonly WrappedDataKey[], now: Date): number {
  const published = now.getTime() - PUBLISHED_MS;
  const newest = newestFirst.find(({ createdAt }) => createdAt.getTime() <= published);
  const sealing = newest ?? newestFirst.at(-1);
  invariant(sealing !== undefined, "a tenant whose vault is opened has a data key");
  return sealing.version;
}

function vaultOver(tenantId: TenantId, keys: readonly DataKey[], sealsUnder: number): TenantVault {
  const byVersion = new Map(keys.map((key) => [key.version, key]));
  const sealing = byVersion.get(sealsUnder);
  invariant(sealing !== undefined, "a vault seals under a key that it has");
  const hmacKey = Buffer.from(hkdfSync("sha256", sealing.key, "", "purser-fingerprint-v1", 32));
  return {
    sealsUnder,
    seal: (context, plaintext) => seal(sealing, { ...context, tenantId }, Buffer.from(plaintext)),
    open: (context, sealed) => {
      const key = byVersion.get(sealedVersion(sealed));
      if (key === undefined) throw new EnvelopeError("a data key that is gone");
      return open(key, { ...context, tenantId }, sealed);
    },
    fingerprint: (text) =>
      `hmac-sha256:${createHmac("sha256", hmacKey).update(text).digest("hex")}`,
  };
}
