import type { App } from "../../app.ts";
import { decodeTransaction, decodeUnfreeze } from "../../crypto/guardian-transaction.ts";
import { epochNumberOf } from "../../crypto/user-operation.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { finalBelow } from "../../modules/networks/networks.ts";
import {
  hasFreezeInFlight,
  hasLaterFreeze,
  isSigned,
  type OperatorTransaction,
  operatorTransactionRows,
  type SignedTransaction,
} from "../../modules/operator-transactions/queries.ts";
import { requeue } from "../../modules/operator-transactions/queue-transaction.ts";
import { cancelPaymentsOf } from "../../modules/payments/end-waiting-payments.ts";
import { readAccountState } from "../../modules/user-operations/account-state.ts";
import {
  confirmChainFreeze,
  endUnfreezing,
  finishUnfreezing,
  forgetChainFreeze,
  keepFrozen,
} from "../../modules/wallets/freezes/chain-freezes.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import { requireWalletAndAccountsLocked } from "../../modules/wallets/wallets.ts";
import type { EvmNetwork, TransactionReceipt } from "../../ports/evm-network.ts";

/**
 * Looks in which block a transaction is, and notes what it has done. Nothing is noted while the nodes differ. A transaction whose block
 * was replaced is sent again. One that has reverted in a final block, or whose nonce another one has used, is signed again with another
 * nonce. It ends when its block is final.
 */
export async function recordReceipt(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<void> {
  const receipts = await chain.readAgreedReceipts(transaction.hashes);
  if (receipts === null) return;
  const receipt = receipts.find((each) => each !== null) ?? null;
  if (receipt === null) return await recordMissing(app, chain, transaction);
  const isFinal = receipt.blockNumber <= finalBelow(app, chain.network, (await chain.readHeads()).lowest);
  if (receipt.success) await recordMined(app, transaction, receipt, isFinal);
  else if (isFinal) await recordReverted(app, chain, transaction);
}

/** Nothing is known of a transaction that is in no block, unless the chain has used its nonce in a final one. */
async function recordMissing(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<void> {
  const { blockNumber, sender, nonce, action } = transaction;
  if (blockNumber !== null) {
    return await change(app, transaction, async (tx) => {
      if (action === "freeze") await forgetChainFreeze(tx, transaction, app.clock.now());
      const forgotten = { blockNumber: null, transactionHash: null, sentAt: null };
      await operatorTransactionRows.update(tx, transaction, forgotten);
    });
  }
  if ((await chain.readTransactionCount(sender, "latest")) <= nonce) return;
  const final = finalBelow(app, chain.network, (await chain.readHeads()).lowest);
  if ((await chain.readTransactionCount(sender, final)) <= nonce) return;
  // Read after the count: between the first look and this one, a block can have become final that contains it.
  const receipts = await chain.readAgreedReceipts(transaction.hashes);
  if (receipts === null || receipts.some((receipt) => receipt !== null)) return;
  const facts = { sender, nonce: String(nonce) };
  app.log.error(facts, "a nonce of the operator was used elsewhere: operator action required");
  await change(app, transaction, (tx) => signAnew(tx, app, transaction));
}

async function recordMined(
  app: App,
  transaction: SignedTransaction,
  receipt: TransactionReceipt,
  isFinal: boolean,
): Promise<void> {
  const { action } = transaction;
  const { blockNumber, transactionHash } = receipt;
  const isKnown = blockNumber === transaction.blockNumber && transactionHash === transaction.transactionHash;
  if (isKnown && !isFinal) return;
  // What waited when the wallet was frozen must not be paid afterwards.
  if (action === "unfreeze") await cancelPaymentsOf(app, transaction);
  await change(app, transaction, async (tx) => {
    const at = app.clock.now();
    await operatorTransactionRows.update(tx, transaction, {
      blockNumber,
      transactionHash,
      ...(isFinal && { endedAt: at }),
    });
    if (action === "unfreeze") return await finishUnfreezing(tx, transaction, { receipt, at });
    if (!isKnown) await confirmChainFreeze(tx, transaction, { receipt, at });
  });
}

/**
 * Lets a freeze be signed again. An unfreeze reverts if the account has another epoch than the one that it ends: if no freeze of ours
 * has begun that, someone else has frozen the account, and it stays so.
 */
async function recordReverted(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<void> {
  const { walletId, action, signedTransaction } = transaction;
  const account = await readAccountState(app, chain, await walletRows.get(app.db, transaction));
  const { data } = decodeTransaction(signedTransaction);
  // The same freeze in another block has another salt.
  const isOther =
    action === "unfreeze" && account.isFrozen && epochNumberOf(account.epochId) !== epochNumberOf(decodeUnfreeze(data));
  await change(app, transaction, async (tx) => {
    if (!isOther || (await hasLaterFreeze(tx, transaction))) return await signAnew(tx, app, transaction);
    const at = app.clock.now();
    await operatorTransactionRows.update(tx, transaction, { endedAt: at });
    if (!(await keepFrozen(tx, transaction, at))) return;
    app.log.error({ walletId }, "someone else has frozen an account during its unfreezing: operator action required");
  });
}

/** Ends a transaction that has used its nonce in vain, and queues another one instead. */
async function signAnew(tx: Tx, app: App, transaction: SignedTransaction): Promise<void> {
  const at = app.clock.now();
  await operatorTransactionRows.update(tx, transaction, { endedAt: at });
  await requeue(tx, transaction, at);
}

/** Changes a transaction, unless another process has changed it since it was read. Locks the accounts, the wallet, then the row. */
async function change(app: App, read: SignedTransaction, apply: (tx: Tx) => Promise<void>): Promise<void> {
  const { tenantId, walletId } = read;
  await withTransaction(app.db, tenantId, async (tx) => {
    await requireWalletAndAccountsLocked(tx, { tenantId, mode: "live", agentIds: null, walletId });
    const current = await operatorTransactionRows.lockAndGet(tx, read);
    const isSame =
      current.endedAt === null &&
      current.nonce === read.nonce &&
      current.blockNumber === read.blockNumber &&
      current.transactionHash === read.transactionHash;
    if (isSame) await apply(tx);
  });
}

/** Ends an unfreeze that was not signed, because the account is not frozen. */
export async function endUnfreeze(app: App, transaction: OperatorTransaction): Promise<void> {
  await cancelPaymentsOf(app, transaction);
  await withTransaction(app.db, transaction.tenantId, async (tx) => {
    await finishUnfreezing(tx, transaction, { receipt: null, at: app.clock.now() });
    if (!(await hasFreezeInFlight(tx, transaction))) await endUnsigned(tx, app, transaction);
  });
}

/** Ends a transaction that was not signed before what the wallet needs has changed. */
export async function dropTransaction(app: App, transaction: OperatorTransaction, isFrozen: boolean): Promise<void> {
  await withTransaction(app.db, transaction.tenantId, async (tx) => {
    const wallet = await walletRows.lockAndGet(tx, transaction);
    if (isWanted(transaction, wallet) || !(await endUnsigned(tx, app, transaction))) return;
    // A freeze in the database has ended the unfreezing.
    if (transaction.action === "freeze" || wallet.onchainFreeze !== "unfreeze_pending") return;
    const known = isFrozen ? "confirmed" : "not_frozen";
    const onchainFreeze = (await hasFreezeInFlight(tx, transaction)) ? "pending" : known;
    await endUnfreezing(tx, wallet, { onchainFreeze }, app.clock.now());
  });
}

/** Returns whether the account is still to be frozen or unfrozen. */
export function isWanted({ action }: OperatorTransaction, { status, onchainFreeze }: Wallet): boolean {
  if (action === "freeze") return onchainFreeze === "pending" || onchainFreeze === "failed";
  return status === "unfreezing" || status === "active";
}

/** Returns false if another process has signed it. */
async function endUnsigned(tx: Tx, app: App, transaction: OperatorTransaction): Promise<boolean> {
  const current = await operatorTransactionRows.lock(tx, transaction);
  if (current === undefined || current.endedAt !== null || isSigned(current)) return false;
  await operatorTransactionRows.update(tx, transaction, { endedAt: app.clock.now() });
  return true;
}
