import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { UnfreezeRequest } from "../../../db/schema.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { WalletId } from "../../../foundation/ids.ts";
import { formatTokenAmount } from "../../../foundation/money.ts";
import { FREEZE_REASONS } from "../../../foundation/vocabulary.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";
import { lockAccounts, updateAccounts } from "../../../ledger/queries.ts";
import type { AgentKey } from "../../agents/queries.ts";
import { countUnfreezes, hasUnfreezeOfKey, listOpenOfWallet } from "../../operator-transactions/queries.ts";
import { cancelUnsigned, queueUnfreeze } from "../../operator-transactions/queue-transaction.ts";
import { type WalletKey, type WalletOverview, walletRows } from "../queries.ts";
import { requireWalletAndAccountsLocked } from "../wallets.ts";
import { freezeWallets, saveFreeze } from "./freeze-wallets.ts";
import { type AgentWalletsKey, type FreezeColumns, listWalletIds, type WalletsKey } from "./queries.ts";

const HOUR_MS = 3_600_000;

/**
 * Stops or resumes outgoing payments of all wallets of these agents. The caller must have locked the agents: a creation of
 * a wallet locks its agent too, so that it has either committed or finds the agent's new status.
 */
export async function setWalletsStopped(
  tx: Tx,
  { agentIds, ...owner }: AgentWalletsKey,
  stopped: boolean,
): Promise<void> {
  const subjectIds = await listWalletIds(tx, { ...owner, agentIds });
  if (subjectIds.length === 0) return;
  await updateAccounts(tx, { ...owner, subjectType: "wallet", subjectIds }, { stopped });
}

/**
 * Freezes all wallets of a revoked agent, as the developer, and returns their ids. The reason is `policy_violation` unless
 * the agent was revoked with the name of another reason. Any other text becomes the note of the freeze.
 */
export async function freezeRevokedAgent(
  tx: Tx,
  { actor, key, reason: text }: { readonly actor: Actor; readonly key: AgentKey; readonly reason: string | null },
  at: Date,
): Promise<readonly WalletId[]> {
  const walletIds = await listWalletIds(tx, { ...key, agentIds: [key.agentId] });
  // `other` requires a note.
  const named = FREEZE_REASONS.find((reason) => reason === text && reason !== "other");
  const freeze = {
    mode: "full",
    source: "developer",
    reason: named ?? "policy_violation",
    note: named === undefined ? text : null,
    reference: null,
    expiresAt: null,
  } as const;
  await freezeWallets(tx, actor, { walletIds, freeze, at });
  return walletIds;
}

/** Locks the accounts of the wallets. Throws `conflict` if one of them has a balance. */
export async function requireEmptyWallets(tx: Tx, { tenantId, mode, walletIds }: WalletsKey): Promise<void> {
  const accounts = await lockAccounts(tx, {
    tenantId,
    mode,
    subjectType: "wallet",
    subjectIds: walletIds,
  });
  const funded = accounts.find(({ posted }) => posted > 0n);
  if (funded === undefined) return;
  const { subjectId, asset, posted } = funded;
  const balance = `${formatTokenAmount({ asset, baseUnits: posted })} ${asset.toUpperCase()}`;
  throw new AppError("conflict", {
    detail: `The agent's wallet ${subjectId} has a balance of ${balance}. Pay it out while the agent is active, then delete the agent. To stop the agent now, revoke it.`,
  });
}

export interface UnfreezeWallet extends UnfreezeRequest {
  readonly key: WalletKey;
  readonly at: Date;
}

const UNFROZEN: FreezeColumns = {
  status: "active",
  freezeMode: null,
  freezeSource: null,
  freezeReason: null,
  freezeNote: null,
  freezeReference: null,
  freezeExpiresAt: null,
  frozenBy: null,
  frozenAt: null,
  onchainFreeze: "not_frozen",
};

/**
 * Lifts the freeze of a wallet in the caller's transaction. Does nothing if the wallet is not frozen. The accounts of an
 * agent that is not active remain stopped. Locks like `freezeWallets`.
 *
 * Returns false if the account may be frozen on its chain: then only the unfreezing there is queued, and the wallet stays frozen
 * until it is done. A wallet that is being unfrozen stays as it is.
 *
 * Throws `wallet_not_found`, `admin_review_required` if a developer lifts an admin's freeze, and `conflict` if the wallet was frozen again
 * since the same request, or if accounts were unfrozen too often.
 */
export async function unfreezeWallet(tx: Tx, actor: Actor, { key, at, ...request }: UnfreezeWallet): Promise<boolean> {
  const wallet = await requireWalletAndAccountsLocked(tx, key);
  if (wallet.frozenAt === null) return true;
  const isRepeated = request.idempotencyKey && (await hasUnfreezeOfKey(tx, wallet, request.idempotencyKey));
  if (isRepeated && wallet.status === "frozen")
    throw new AppError("conflict", { detail: "The wallet was frozen again." });
  if (wallet.freezeSource === "admin" && request.liftedBy !== "admin") {
    throw new AppError("admin_review_required", {
      detail: "An admin froze this wallet, so only an admin can unfreeze it. Contact the operator.",
    });
  }
  if (wallet.status === "unfreezing") return false;
  if (await mayBeFrozenOnChain(tx, wallet)) {
    await beginUnfreezing(tx, actor, { wallet, request, at });
    return false;
  }
  await liftFreeze(tx, actor, { wallet, ...request, change: {}, at });
  return true;
}

/** Returns false if the account is not frozen on its chain, and cannot be by what was signed. Cancels what was not. */
async function mayBeFrozenOnChain(tx: Tx, wallet: WalletOverview): Promise<boolean> {
  const { mode, onchainFreeze } = wallet;
  if (mode === "test") return false;
  if (onchainFreeze === "not_frozen") return (await listOpenOfWallet(tx, wallet)).length > 0;
  const areAllCanceled = await cancelUnsigned(tx, wallet);
  return !areAllCanceled || onchainFreeze === "confirmed" || onchainFreeze === "unfreeze_pending";
}

/** An unfreezing is a transaction that the operator pays for. A freeze is never refused. */
async function requireQuota(tx: Tx, { tenantId }: WalletOverview, at: Date): Promise<void> {
  const { max } = QUOTAS.chainUnfreezes;
  if ((await countUnfreezes(tx, tenantId, new Date(at.getTime() - HOUR_MS))) < max) return;
  throw new AppError("conflict", {
    detail: `Accounts were unfrozen on their chains ${max} times in the last hour. Wait.`,
  });
}

interface BeginUnfreezing {
  readonly wallet: WalletOverview;
  readonly request: UnfreezeRequest;
  readonly at: Date;
}

async function beginUnfreezing(tx: Tx, actor: Actor, { wallet, request, at }: BeginUnfreezing): Promise<void> {
  await requireQuota(tx, wallet, at);
  const { walletId, agentId, network } = wallet;
  const change = { status: "unfreezing", onchainFreeze: "unfreeze_pending" } as const;
  await walletRows.update(tx, wallet, { ...change, onchainFreezeTx: null, onchainFreezeBlock: null, updatedAt: at });
  await queueUnfreeze(tx, wallet, { actor, request, at });
  await appendAuditEntry(tx, actor, {
    ...{ action: "wallet.unfreezing", subject: { type: "wallet", id: walletId }, occurredAt: at },
    facts: { agent_id: agentId, network, reason: request.reason, review_reference: request.reviewReference },
  });
}

interface LiftFreeze extends Omit<UnfreezeRequest, "liftedBy" | "idempotencyKey"> {
  /** As it is before the change. The caller must have locked it and its accounts. */
  readonly wallet: WalletOverview;
  readonly change: FreezeColumns;
  readonly at: Date;
}

/** Lifts the freeze in the database, with its history, audit entry and event. */
export async function liftFreeze(
  tx: Tx,
  actor: Actor,
  { wallet: before, change, reason, note, reviewReference, at }: LiftFreeze,
): Promise<void> {
  const { tenantId, mode, walletId } = before;
  const accounts = { tenantId, mode, subjectType: "wallet", subjectIds: [walletId] } as const;
  await updateAccounts(tx, accounts, { frozen: null });
  await saveFreeze(tx, actor, {
    before,
    change: { ...UNFROZEN, ...change },
    reason,
    note,
    reference: reviewReference,
    facts: {
      previous_reason: before.freezeReason,
      previous_mode: before.freezeMode,
      previous_source: before.freezeSource,
      reason,
      review_reference: reviewReference,
    },
    at,
  });
}
