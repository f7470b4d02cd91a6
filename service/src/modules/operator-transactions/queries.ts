import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { exists, rowsWhere, selectWhere } from "../../db/where.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import type { TenantId, WalletId } from "../../foundation/ids.ts";

export type OperatorTransaction = Row<"operatorTransactions">;

/** A transaction that was signed: from then on, anyone who has its bytes can have it executed. */
export type SignedTransaction = OperatorTransaction & {
  readonly [Column in "sender" | "nonce" | "signedTransaction" | "feeLimit" | "signedAt"]: NonNullable<
    OperatorTransaction[Column]
  >;
};

/** The transactions that freeze and unfreeze accounts, by their keys. */
export const operatorTransactionRows = tableOf("operatorTransactions", ["tenantId", "transactionId"]);

export function isSigned(transaction: OperatorTransaction): transaction is SignedTransaction {
  return transaction.signedTransaction !== null;
}

/** A tenant's transactions on one network. */
export interface TransactionsKey {
  readonly tenantId: TenantId;
  readonly network: BlockchainNetwork;
}

/** Returns the tenant's transactions on a network that are not ended, the oldest first. */
export function listOpenTransactions(db: Db, { tenantId, network }: TransactionsKey): Promise<OperatorTransaction[]> {
  const open = rowsWhere(db, "operatorTransactions", { tenantId, network }).where("endedAt", "is", null);
  return open.orderBy("transactionId").execute();
}

interface WalletOwner {
  readonly tenantId: TenantId;
  readonly walletId: WalletId;
}

/** Returns all transactions about a wallet's account, the oldest first. */
export function listTransactionsOfWallet(db: Db, { tenantId, walletId }: WalletOwner): Promise<OperatorTransaction[]> {
  return rowsWhere(db, "operatorTransactions", { tenantId, walletId }).orderBy("transactionId").execute();
}

/** Returns whether a freeze of the wallet's account is newer than this one. */
export function hasNewerFreeze(
  db: Db,
  { tenantId, walletId, transactionId }: Pick<OperatorTransaction, "tenantId" | "walletId" | "transactionId">,
): Promise<boolean> {
  const freezes = selectWhere(db, "operatorTransactions", { tenantId, walletId, action: "freeze" });
  return exists(freezes.select("transactionId").where("transactionId", ">", transactionId));
}

/**
 * Returns the lowest nonce that no transaction of the address has, from that of the chain on. No other transaction of the address
 * gets a nonce until the caller's transaction ends.
 */
export async function reserveNonce(
  tx: Tx,
  { network, sender, from }: { readonly network: BlockchainNetwork; readonly sender: string; readonly from: bigint },
): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`nonce ${network} ${sender}`}, 0))`.execute(tx);
  // One that has just ended may be missing in the count that the chain has reported.
  const isCurrent = sql<boolean>`(ended_at is null or ended_at > now() - interval '1 minute')`;
  const rows = await selectWhere(tx, "operatorTransactions", { network, sender })
    .select("nonce")
    .where("nonce", ">=", from)
    .where(isCurrent)
    .execute();
  const used = new Set(rows.map(({ nonce }) => nonce));
  let nonce = from;
  while (used.has(nonce)) nonce += 1n;
  return nonce;
}
