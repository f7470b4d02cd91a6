import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { exists, lockName, rowsWhere, selectWhere } from "../../db/where.ts";
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

/** Returns the transactions about a wallet's account that are not ended, the oldest first. */
export function listOpenOfWallet(db: Db, { tenantId, walletId }: WalletOwner): Promise<OperatorTransaction[]> {
  const open = rowsWhere(db, "operatorTransactions", { tenantId, walletId }).where("endedAt", "is", null);
  return open.orderBy("transactionId").execute();
}

/** Returns the newest block that has a transaction about the wallet's account: 0 if there is none. */
export async function readNewestBlock(db: Db, { tenantId, walletId }: WalletOwner): Promise<bigint> {
  const newest = selectWhere(db, "operatorTransactions", { tenantId, walletId })
    .select("blockNumber")
    .where("blockNumber", "is not", null)
    .orderBy("blockNumber", "desc")
    .limit(1);
  return (await newest.executeTakeFirst())?.blockNumber ?? 0n;
}

/** Returns whether a transaction about the wallet's account was ever signed. */
export function wasEverSigned(db: Db, { tenantId, walletId }: WalletOwner): Promise<boolean> {
  const all = selectWhere(db, "operatorTransactions", { tenantId, walletId }).select("transactionId");
  return exists(all.where("signedTransaction", "is not", null));
}

/** Returns whether there is a newer transaction that does the same to the wallet's account. */
export function hasNewer(db: Db, { tenantId, walletId, transactionId, action }: OperatorTransaction): Promise<boolean> {
  const same = selectWhere(db, "operatorTransactions", { tenantId, walletId, action });
  return exists(same.select("transactionId").where("transactionId", ">", transactionId));
}

/** Returns whether a freeze of the wallet's account was queued after this transaction. */
export function hasLaterFreeze(db: Db, transaction: OperatorTransaction): Promise<boolean> {
  return hasNewer(db, { ...transaction, action: "freeze" });
}

/** Returns whether a freeze of the wallet's account was signed and is in no block: it can be executed at any time. */
export async function hasFreezeInFlight(db: Db, wallet: WalletOwner): Promise<boolean> {
  return (await listOpenOfWallet(db, wallet)).some(
    (each) => each.action === "freeze" && isSigned(each) && each.blockNumber === null,
  );
}

/** Returns whether a request with this Idempotency-Key has begun to unfreeze the wallet's account. */
export function hasUnfreezeOfKey(
  db: Db,
  { tenantId, walletId }: WalletOwner,
  idempotencyKey: string,
): Promise<boolean> {
  const unfreezes = selectWhere(db, "operatorTransactions", { tenantId, walletId, action: "unfreeze" });
  const isOfKey = sql<boolean>`unfreeze ->> 'idempotencyKey' = ${idempotencyKey}`;
  return exists(unfreezes.select("transactionId").where(isOfKey));
}

/** Counts the unfreezes of a tenant that were queued since then. */
export async function countUnfreezes(db: Db, tenantId: TenantId, since: Date): Promise<number> {
  const queued = selectWhere(db, "operatorTransactions", { tenantId, action: "unfreeze" });
  return (await queued.select("transactionId").where("createdAt", ">", since).execute()).length;
}

/** A node can be behind by so much. */
const ENDED_MS = 60_000;

interface NonceSearch {
  readonly network: BlockchainNetwork;
  readonly sender: string;
  /** The nonce of the chain. */
  readonly from: bigint;
  readonly at: Date;
}

/**
 * Returns the lowest nonce that no transaction of the address has, from that of the chain on. No other transaction of the address
 * gets a nonce until the caller's transaction ends.
 */
export async function reserveNonce(tx: Tx, { network, sender, from, at }: NonceSearch): Promise<bigint> {
  await lockName(tx, `nonce ${network} ${sender}`);
  // One that has just ended may be missing in the count that the chain has reported.
  const since = new Date(at.getTime() - ENDED_MS);
  const isCurrent = sql<boolean>`(ended_at is null or ended_at > ${since})`;
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
