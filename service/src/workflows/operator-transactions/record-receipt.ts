import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { finalBelow } from "../../modules/networks/networks.ts";
import {
  isSigned,
  type OperatorTransaction,
  operatorTransactionRows,
  type SignedTransaction,
} from "../../modules/operator-transactions/queries.ts";
import { requeue } from "../../modules/operator-transactions/queue-transaction.ts";
import { cancelPaymentsOf } from "../../modules/payments/end-waiting-payments.ts";
import {
  confirmChainFreeze,
  finishUnfreezing,
  forgetChainFreeze,
} from "../../modules/wallets/freezes/chain-freezes.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import type { EvmNetwork, TransactionReceipt } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";

/**
 * Looks in which block a transaction is, and notes what it has done. A transaction whose block was replaced is sent again, and one
 * that has reverted, or whose nonce another one has used, is signed again. It ends when all nodes have it in the same final block.
 */
export async function recordReceipt(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<void> {
  const receipts = await chain.readReceipts(transaction.hashes);
  const receipt = receipts.find((each) => each !== null) ?? null;
  if (receipt === null) return await recordMissing(app, chain, transaction);
  if (!receipt.success) return await signAnew(app, transaction);
  const { blockNumber, transactionHash } = receipt;
  if (blockNumber !== transaction.blockNumber || transactionHash !== transaction.transactionHash) {
    await recordMined(app, transaction, receipt);
  }
  const final = finalBelow(app, chain.network, await readHead(chain));
  if (blockNumber > final) return;
  const agreed = await chain.readAgreedReceipts([transactionHash]);
  const isAgreed = agreed?.[0]?.success === true && agreed[0].blockNumber === blockNumber;
  if (isAgreed) await withTransaction(app.db, transaction.tenantId, (tx) => end(tx, app, transaction));
}

/** Nothing is known of a transaction that is in no block, unless the chain has used its nonce in a final one. */
async function recordMissing(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<void> {
  const { blockNumber, sender, nonce } = transaction;
  if (blockNumber !== null) {
    return await withTransaction(app.db, transaction.tenantId, async (tx) => {
      if (transaction.action === "freeze") await forgetChainFreeze(tx, transaction, app.clock.now());
      const forgotten = { blockNumber: null, transactionHash: null, sentAt: null };
      await operatorTransactionRows.update(tx, transaction, forgotten);
    });
  }
  if ((await chain.readTransactionCount(sender, "latest")) <= nonce) return;
  const final = finalBelow(app, chain.network, await readHead(chain));
  if ((await chain.readTransactionCount(sender, final)) <= nonce) return;
  // Read after the count: between the first look and this one, a block can have become final that contains it.
  const receipts = await chain.readAgreedReceipts(transaction.hashes);
  if (receipts === null || receipts.some((receipt) => receipt !== null)) return;
  app.log.error(
    { sender, nonce: String(nonce) },
    "a nonce of the operator was used elsewhere: operator action required",
  );
  await signAnew(app, transaction);
}

async function readHead(chain: EvmNetwork): Promise<bigint> {
  const head = await chain.readBlock("latest");
  if (head !== null) return head.number;
  throw new VendorError("unavailable", { vendor: chain.network, operation: "readBlock" });
}

async function recordMined(app: App, transaction: SignedTransaction, receipt: TransactionReceipt): Promise<void> {
  const { action } = transaction;
  const { blockNumber, transactionHash } = receipt;
  // What waited when the wallet was frozen must not be paid afterwards.
  if (action === "unfreeze") await cancelPaymentsOf(app, transaction);
  await withTransaction(app.db, transaction.tenantId, async (tx) => {
    const at = app.clock.now();
    if (action === "freeze") await confirmChainFreeze(tx, transaction, { receipt, at });
    else await finishUnfreezing(tx, transaction, { receipt, at });
    await operatorTransactionRows.update(tx, transaction, { blockNumber, transactionHash });
  });
}

/** Ends a transaction that has used its nonce in vain, and queues another one instead. */
function signAnew(app: App, transaction: SignedTransaction): Promise<void> {
  return withTransaction(app.db, transaction.tenantId, async (tx) => {
    const current = await operatorTransactionRows.lockAndGet(tx, transaction);
    if (current.endedAt !== null || current.signedTransaction !== transaction.signedTransaction) return;
    await end(tx, app, transaction);
    await requeue(tx, transaction, app.clock.now());
  });
}

/** Ends an unfreeze that was not signed, because the account is not frozen. */
export async function endUnfreeze(app: App, transaction: OperatorTransaction): Promise<void> {
  await cancelPaymentsOf(app, transaction);
  await withTransaction(app.db, transaction.tenantId, async (tx) => {
    await finishUnfreezing(tx, transaction, { receipt: null, at: app.clock.now() });
    await removeUnsigned(tx, transaction);
  });
}

/** Removes a transaction that was not signed before what the wallet needs has changed. */
export async function dropTransaction(app: App, transaction: OperatorTransaction, isFrozen: boolean): Promise<void> {
  await withTransaction(app.db, transaction.tenantId, async (tx) => {
    const wallet = await walletRows.lockAndGet(tx, transaction);
    if (isWanted(transaction, wallet)) return;
    const isRemoved = await removeUnsigned(tx, transaction);
    // A freeze in the database has ended the unfreezing.
    const isShown = transaction.action === "unfreeze" && wallet.onchainFreeze === "unfreeze_pending";
    if (!isRemoved || !isShown) return;
    await walletRows.update(tx, wallet, { onchainFreeze: isFrozen ? "confirmed" : "not_frozen" });
  });
}

/** Returns whether the wallet is still to be frozen or unfrozen on its chain. */
export function isWanted({ action }: OperatorTransaction, { status, onchainFreeze }: Wallet): boolean {
  return action === "unfreeze" ? status === "unfreezing" : onchainFreeze === "pending" || onchainFreeze === "failed";
}

/** Returns false if another process has signed it. */
async function removeUnsigned(tx: Tx, transaction: OperatorTransaction): Promise<boolean> {
  const current = await operatorTransactionRows.lock(tx, transaction);
  if (current === undefined || isSigned(current)) return false;
  await operatorTransactionRows.remove(tx, transaction);
  return true;
}

function end(tx: Tx, app: App, transaction: OperatorTransaction): Promise<void> {
  return operatorTransactionRows.update(tx, transaction, { endedAt: app.clock.now() });
}
