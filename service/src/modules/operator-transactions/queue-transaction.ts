import { randomInt } from "node:crypto";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { UnfreezeRequest } from "../../db/schema.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import { newId, type TenantId, type WalletId } from "../../foundation/ids.ts";
import {
  isSigned,
  listOpenOfWallet,
  type OperatorTransaction,
  operatorTransactionRows,
  type TransactionsKey,
  wasEverSigned,
} from "./queries.ts";

/** The due work that sends a tenant's transactions on a network. Its subjects are networks. */
export const SEND_TRANSACTIONS = { kind: "send-operator-transactions" };

/** The salt of an epoch has 48 bits. */
const SALT_MAX = 2 ** 48 - 1;

interface AccountOf {
  readonly tenantId: TenantId;
  readonly walletId: WalletId;
  readonly network: BlockchainNetwork;
}

/**
 * Queues a transaction that freezes the account of a wallet, in the caller's transaction. If one is under way, it has ten more
 * minutes instead. The caller must have locked the wallet.
 */
export async function queueFreeze(tx: Tx, wallet: AccountOf, at: Date): Promise<void> {
  const open = await listOpenOfWallet(tx, wallet);
  const underWay = open.findLast(({ action, blockNumber }) => action === "freeze" && blockNumber === null);
  if (underWay !== undefined) await operatorTransactionRows.update(tx, underWay, { requestedAt: at });
  else await insert(tx, wallet, { action: "freeze", at });
  await scheduleTransactions(tx, wallet, at);
}

/**
 * Queues a transaction that unfreezes the account of a wallet, in the caller's transaction. After it, the wallet is unfrozen in
 * the name of the actor. The caller must have locked the wallet.
 */
export async function queueUnfreeze(
  tx: Tx,
  wallet: AccountOf,
  { actor, request, at }: { readonly actor: Actor; readonly request: UnfreezeRequest; readonly at: Date },
): Promise<void> {
  await insert(tx, wallet, {
    ...{ action: "unfreeze", at, unfreeze: JSON.stringify(request) },
    ...{ actor: JSON.stringify(actor.actor), requestId: actor.requestId },
  });
  await scheduleTransactions(tx, wallet, at);
}

/** Queues the same transaction again, which is then signed with another nonce. */
export async function requeue(tx: Tx, before: OperatorTransaction, at: Date): Promise<void> {
  const { action, requestedAt, unfreeze, actor, requestId } = before;
  const request = { unfreeze: unfreeze && JSON.stringify(unfreeze), actor: actor && JSON.stringify(actor), requestId };
  await insert(tx, before, { action, at, requestedAt, ...request });
  await scheduleTransactions(tx, before, at);
}

/**
 * Removes the transactions of a wallet that no one can have executed. Returns whether those are all that it ever had: its account
 * then is as it was before. The caller must have locked the wallet.
 */
export async function cancelUnsigned(tx: Tx, wallet: Pick<AccountOf, "tenantId" | "walletId">): Promise<boolean> {
  const open = await listOpenOfWallet(tx, wallet);
  const unsigned = open.filter((transaction) => !isSigned(transaction));
  for (const transaction of unsigned) await operatorTransactionRows.remove(tx, transaction);
  return unsigned.length > 0 && !(await wasEverSigned(tx, wallet));
}

export async function scheduleTransactions(tx: Tx, { tenantId, network }: TransactionsKey, dueAt: Date): Promise<void> {
  await scheduleWork(tx, SEND_TRANSACTIONS, { tenantId, subject: network, dueAt });
}

interface NewTransaction extends Pick<OperatorTransaction, "action"> {
  readonly at: Date;
  readonly requestedAt?: Date;
  /** Of an unfreeze, as JSON. */
  readonly unfreeze?: string | null;
  readonly actor?: string | null;
  readonly requestId?: string | null;
}

async function insert(
  tx: Tx,
  { tenantId, walletId, network }: AccountOf,
  { at, ...transaction }: NewTransaction,
): Promise<void> {
  await operatorTransactionRows.insert(tx, {
    ...{ tenantId, walletId, network, transactionId: newId("otx"), salt: BigInt(randomInt(SALT_MAX)) },
    ...{ createdAt: at, requestedAt: at, ...transaction },
  });
}
