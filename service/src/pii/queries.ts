import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";

/** Identifies a record. `vaultId` is the developer's id, a dot and the mode. */
export interface BankRecordKey {
  readonly vaultId: TenantId;
  readonly accountId: string;
}

interface SealedBankRecord {
  /** Null before the holder is known, and once it is destroyed. */
  readonly holderSealed: Buffer | null;
  readonly accessTokenSealed: Buffer;
}

/** Reads a record. Needs the connection of the role that can read personal data. */
export function findBankRecord(
  piiDb: Db,
  { vaultId, accountId }: BankRecordKey,
): Promise<SealedBankRecord | undefined> {
  return withTransaction(piiDb, vaultId, async (tx) => {
    const { rows } = await sql<SealedBankRecord>`
      select holder_sealed, access_token_sealed from pii.bank_records
      where tenant_id = ${vaultId} and account_id = ${accountId}`.execute(tx);
    return rows[0];
  });
}

/** Stores a record, or replaces it. */
export async function storeBankRecordRow(
  tx: Tx,
  { vaultId, accountId }: BankRecordKey,
  { holderSealed, accessTokenSealed }: SealedBankRecord,
): Promise<void> {
  await sql`select purser_store_bank_record(${vaultId}, ${accountId}, ${holderSealed}, ${accessTokenSealed})`.execute(
    tx,
  );
}

/** Destroys the holder and the numbers of the account. The access token stays. */
export async function forgetHolder(tx: Tx, { vaultId, accountId }: BankRecordKey): Promise<void> {
  await sql`select purser_forget_holder(${vaultId}, ${accountId})`.execute(tx);
}

/** Destroys the record, and the vault's data key with its last record. */
export async function forgetBankRecord(tx: Tx, { vaultId, accountId }: BankRecordKey): Promise<void> {
  await sql`select purser_forget_bank_record(${vaultId}, ${accountId})`.execute(tx);
}
