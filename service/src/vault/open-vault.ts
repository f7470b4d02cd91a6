import { randomBytes } from "node:crypto";
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
import { AppError } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { insertDataKey, listDataKeys } from "./queries.ts";

/** Where a value stands; the tenant is the vault's own. */
export type VaultContext = Omit<SealContext, "tenantId">;

/** A tenant's data keys, unwrapped: seals and opens without asking anybody, so it may be used inside a transaction. */
export interface TenantVault {
  seal(context: VaultContext, plaintext: string | Uint8Array): Buffer;
  /** Throws EnvelopeError where the bytes were changed or belong elsewhere. */
  open(context: VaultContext, sealed: Uint8Array): Buffer;
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
      key: await answered(
        access.keyEncryptionKey.unwrap(wrapped, keyEncryptionKeyId, { tenantId, version }),
      ),
    })),
  );
  const vault = vaultOver(tenantId, keys);
  access.vaults.set(tenantId, vault);
  return vault;
}

async function storedKeys({ db }: VaultAccess, tenantId: TenantId) {
  return withTransaction(db, tenantId, (tx) => listDataKeys(tx, tenantId));
}

async function createFirstKey(access: VaultAccess, tenantId: TenantId) {
  const { db, clock, keyEncryptionKey } = access;
  const version = 1;
  const wrapped = await answered(keyEncryptionKey.wrap(randomBytes(32), { tenantId, version }));
  const key = { version, keyEncryptionKeyId: keyEncryptionKey.id, wrapped };
  await withTransaction(db, tenantId, (tx) =>
    insertDataKey(tx, { ...key, tenantId, createdAt: clock.now() }),
  );
  return storedKeys(access, tenantId);
}

function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return asked.catch((cause: unknown) => {
    const internal = "the key encryption key does not answer, or refuses a data key";
    throw new AppError("service_unavailable", { internal, cause });
  });
}

function vaultOver(tenantId: TenantId, keys: readonly DataKey[]): TenantVault {
  const [newest] = keys;
  invariant(newest !== undefined, "a tenant whose vault is opened has a data key");
  const byVersion = new Map(keys.map((key) => [key.version, key]));
  return {
    seal: (context, plaintext) => seal(newest, { ...context, tenantId }, Buffer.from(plaintext)),
    open: (context, sealed) => {
      const key = byVersion.get(sealedVersion(sealed));
      if (key === undefined) throw new EnvelopeError("a data key that is gone");
      return open(key, { ...context, tenantId }, sealed);
    },
  };
}
