import { LRUCache } from "lru-cache";
import type { App } from "../app.ts";
import type { Db, Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import type { HolderType, Mode } from "../foundation/vocabulary.ts";
import type { BankAccount, PostalAddress } from "../ports/bank-link.ts";
import { openVault, type TenantVault } from "../vault/vault.ts";
import { type BankRecordKey, findBankRecord, storeBankRecordRow } from "./queries.ts";

/** Who holds a bank account. */
export interface BankHolder {
  readonly type: HolderType;
  readonly legalName: string;
  readonly email: string;
  readonly phone: string | null;
  readonly address: PostalAddress;
}

/** What is personal about a bank account. `numbers` is null until the account is verified. */
export interface BankDetails {
  readonly holder: BankHolder;
  readonly numbers: BankAccount["numbers"];
}

export interface BankRecord {
  /** Null before the holder is known, and once the details are destroyed. */
  readonly details: BankDetails | null;
  /** The token with which the bank link vendor answers about the account. */
  readonly accessToken: string;
}

export interface PiiOwner {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}

type PiiApp = Pick<App, "piiDb" | "clock" | "keyEncryptionKey">;

/** The key of an account's record in the tenant's vault for personal data. */
export function bankRecordKey({ tenantId, mode }: PiiOwner, accountId: string): BankRecordKey {
  return { vaultId: vaultIdOf({ tenantId, mode }), accountId };
}

/**
 * Opens the tenant's vault for personal data, whose data key is in the schema `pii`. Call it before a transaction. The vault
 * is not cached, because its key is destroyed with the last record.
 */
export function openPiiVault({ piiDb, clock, keyEncryptionKey }: PiiApp, owner: PiiOwner): Promise<TenantVault> {
  const vaults = new LRUCache<TenantId, TenantVault>({ max: 1 });
  return openVault({ db: requirePiiDb(piiDb), clock, keyEncryptionKey, vaults }, vaultIdOf(owner));
}

/** Stores or replaces a record in the transaction of what it belongs to. `vault` is the one of the record's owner. */
export async function storeBankRecord(
  tx: Tx,
  vault: TenantVault,
  key: BankRecordKey,
  { details, accessToken }: BankRecord,
): Promise<void> {
  await storeBankRecordRow(tx, key, {
    holderSealed: details === null ? null : vault.seal(contextOf(key, "holder"), JSON.stringify(details)),
    accessTokenSealed: vault.seal(contextOf(key, "access_token"), accessToken),
  });
}

/** Reads a record. Returns undefined if it was destroyed. */
export async function readBankRecord(app: PiiApp, owner: PiiOwner, accountId: string): Promise<BankRecord | undefined> {
  const key = bankRecordKey(owner, accountId);
  const row = await findBankRecord(requirePiiDb(app.piiDb), key);
  if (row === undefined) return undefined;
  const vault = await openPiiVault(app, owner);
  const { holderSealed, accessTokenSealed } = row;
  return {
    details:
      holderSealed === null ? null : JSON.parse(vault.open(contextOf(key, "holder"), holderSealed).toString("utf8")),
    accessToken: vault.open(contextOf(key, "access_token"), accessTokenSealed).toString("utf8"),
  };
}

function vaultIdOf({ tenantId, mode }: PiiOwner): TenantId {
  return `${tenantId}.${mode}` as TenantId;
}

function contextOf({ accountId }: BankRecordKey, field: "holder" | "access_token") {
  return { kind: "bank_record", subject: accountId, field, version: 1 };
}

function requirePiiDb(piiDb: Db | null): Db {
  invariant(piiDb !== null, "the configuration requires PII_DATABASE_URL where banks can be linked");
  return piiDb;
}
