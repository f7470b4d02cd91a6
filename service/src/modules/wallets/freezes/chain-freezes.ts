import { systemActor } from "../../../audit/actors.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { EventType } from "../../../events/event-types.ts";
import type { TransactionReceipt } from "../../../ports/evm-network.ts";
import {
  hasFreezeInFlight,
  hasNewer,
  listOpenOfWallet,
  type OperatorTransaction,
} from "../../operator-transactions/queries.ts";
import { queueUnfreeze } from "../../operator-transactions/queue-transaction.ts";
import { type Wallet, walletRows } from "../queries.ts";
import { getChangedWallet, recordWalletChange, requireWalletAndAccountsLocked } from "../wallets.ts";
import type { FreezeColumns } from "./queries.ts";
import { liftFreeze } from "./unfreeze-wallet.ts";

/** A transaction that has frozen or unfrozen an account, and when this was found. */
interface Mined {
  readonly receipt: TransactionReceipt;
  readonly at: Date;
}

/**
 * Notes that an account is frozen on its chain, which also deploys it. If the wallet is not frozen any more, a chain has replaced
 * blocks, and the account is unfrozen again.
 */
export async function confirmChainFreeze(
  tx: Tx,
  transaction: OperatorTransaction,
  { receipt: { transactionHash, blockNumber }, at }: Mined,
): Promise<void> {
  const wallet = await walletRows.lockAndGet(tx, transaction);
  const isDeployed = wallet.deploymentStatus === "deployed";
  const deployed = isDeployed ? {} : { deploymentStatus: "deployed" as const, deploymentTx: transactionHash };
  const isFrozen = wallet.status === "frozen" && !(await hasNewer(tx, transaction));
  if (!isFrozen) {
    await walletRows.update(tx, wallet, { ...deployed, updatedAt: at });
    if (wallet.status === "active") await queueUnfreezeAgain(tx, wallet, at);
    return;
  }
  const block = { onchainFreezeTx: transactionHash, onchainFreezeBlock: blockNumber };
  await walletRows.update(tx, wallet, { ...deployed, ...block, onchainFreeze: "confirmed", updatedAt: at });
  if (wallet.onchainFreeze === "confirmed") return;
  await record(tx, wallet, "wallet.freeze_onchain_confirmed", at);
}

async function queueUnfreezeAgain(tx: Tx, wallet: Wallet, at: Date): Promise<void> {
  if ((await listOpenOfWallet(tx, wallet)).some(({ action }) => action === "unfreeze")) return;
  const request = { liftedBy: "admin", reason: null, note: null, reviewReference: null, idempotencyKey: null } as const;
  await queueUnfreeze(tx, wallet, { actor: systemActor(wallet), request, at });
}

/** Notes that a chain has replaced the block in which an account was frozen. The same transaction is sent again. */
export async function forgetChainFreeze(tx: Tx, transaction: OperatorTransaction, at: Date): Promise<void> {
  const wallet = await walletRows.lockAndGet(tx, transaction);
  if (!(await isShown(tx, wallet, transaction, ["confirmed"]))) return;
  await walletRows.update(tx, wallet, { onchainFreeze: "pending", onchainFreezeBlock: null, updatedAt: at });
  await record(tx, wallet, "wallet.freeze_onchain_pending", at);
}

/** Notes that an account could not be frozen on its chain in time. Returns false if it is no longer to be frozen. */
export async function failChainFreeze(tx: Tx, transaction: OperatorTransaction, at: Date): Promise<boolean> {
  const wallet = await walletRows.lockAndGet(tx, transaction);
  if (!(await isShown(tx, wallet, transaction, ["pending"]))) return false;
  await walletRows.update(tx, wallet, { onchainFreeze: "failed", updatedAt: at });
  await record(tx, wallet, "wallet.freeze_onchain_failed", at);
  return true;
}

/** Shows the newest bytes of a transaction that is in no block. */
export async function showChainFreeze(tx: Tx, wallet: Wallet, onchainFreezeTx: string): Promise<void> {
  await walletRows.update(tx, wallet, { onchainFreezeTx, onchainFreezeBlock: null });
}

/**
 * Unfreezes a wallet whose account is not frozen on its chain any more. A wallet that was frozen again meanwhile stays frozen:
 * only its account is not. Does nothing while a freeze that was signed can still be executed, or if another unfreeze was queued
 * later: that one goes on. `receipt` is null if the account was not frozen. Locks like `unfreezeWallet`.
 */
export async function finishUnfreezing(
  tx: Tx,
  transaction: OperatorTransaction,
  { receipt, at }: { readonly receipt: TransactionReceipt | null; readonly at: Date },
): Promise<void> {
  const { tenantId, walletId, actor, requestId, unfreeze } = transaction;
  const key = { tenantId, mode: "live", agentIds: null, walletId } as const;
  const wallet = await requireWalletAndAccountsLocked(tx, key);
  const isLater = (await hasFreezeInFlight(tx, wallet)) || (await hasNewer(tx, transaction));
  if (wallet.onchainFreeze !== "unfreeze_pending" || isLater) return;
  const block: FreezeColumns = {
    ...{ onchainFreeze: "not_frozen", onchainFreezeTx: receipt?.transactionHash ?? null },
    onchainFreezeBlock: receipt?.blockNumber ?? null,
  };
  if (wallet.status !== "unfreezing" || actor === null || unfreeze === null) {
    return await endUnfreezing(tx, wallet, { ...block, onchainFreeze: "not_frozen" }, at);
  }
  await liftFreeze(tx, { tenantId, mode: "live", actor, requestId }, { wallet, ...unfreeze, change: block, at });
}

/** Notes how the account of a wallet is on its chain that was frozen again while it was being unfrozen. */
export async function endUnfreezing(
  tx: Tx,
  wallet: Wallet,
  change: FreezeColumns & { readonly onchainFreeze: "confirmed" | "pending" | "not_frozen" },
  at: Date,
): Promise<void> {
  await walletRows.update(tx, wallet, { ...change, updatedAt: at });
  const what = change.onchainFreeze === "not_frozen" ? "lifted" : change.onchainFreeze;
  await record(tx, wallet, `wallet.freeze_onchain_${what}`, at);
}

/**
 * Ends an unfreezing because someone else has frozen the account on its chain meanwhile: the wallet stays frozen. Returns false if the
 * wallet is not being unfrozen.
 */
export async function keepFrozen(tx: Tx, transaction: OperatorTransaction, at: Date): Promise<boolean> {
  const wallet = await walletRows.lockAndGet(tx, transaction);
  if (wallet.status !== "unfreezing") return false;
  await endUnfreezing(tx, wallet, { status: "frozen", onchainFreeze: "confirmed" }, at);
  return true;
}

/** Whether the wallet shows this freeze, in one of these states. A newer freeze is shown instead. */
async function isShown(
  tx: Tx,
  { onchainFreeze }: Wallet,
  transaction: OperatorTransaction,
  statuses: readonly Wallet["onchainFreeze"][],
): Promise<boolean> {
  return statuses.includes(onchainFreeze) && !(await hasNewer(tx, transaction));
}

async function record(tx: Tx, { tenantId, walletId }: Wallet, action: EventType, occurredAt: Date): Promise<void> {
  const wallet = await getChangedWallet(tx, { tenantId, mode: "live", walletId });
  const { network, address, onchainFreezeTx, onchainFreezeBlock } = wallet;
  const actor: Actor = systemActor({ tenantId, mode: "live" });
  const block = onchainFreezeBlock === null ? null : String(onchainFreezeBlock);
  const facts = { network, address, transaction_hash: onchainFreezeTx, block_number: block };
  await recordWalletChange(tx, actor, { action, wallet, facts, occurredAt });
}
