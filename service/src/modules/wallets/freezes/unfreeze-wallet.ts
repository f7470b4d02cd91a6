import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { WalletId } from "../../../foundation/ids.ts";
import { formatTokenAmount } from "../../../foundation/money.ts";
import { FREEZE_REASONS, type FreezeSource } from "../../../foundation/vocabulary.ts";
import { lockAccounts, updateAccounts } from "../../../ledger/queries.ts";
import type { AgentKey } from "../../agents/queries.ts";
import type { Wallet, WalletKey } from "../queries.ts";
import { requireWalletAndAccountsLocked } from "../wallets.ts";
import { freezeWallets, saveFreeze } from "./freeze-wallets.ts";
import { type AgentWalletsKey, type FreezeColumns, listWalletIds, type WalletsKey } from "./queries.ts";

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

export interface UnfreezeWallet {
  readonly key: WalletKey;
  /** Whether a developer or an admin lifts the freeze. An admin also lifts the freeze of a developer. */
  readonly liftedBy: FreezeSource;
  readonly reason: Wallet["freezeReason"];
  readonly note: string | null;
  readonly reviewReference: string | null;
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
 * Throws `wallet_not_found`, `admin_review_required` if a developer lifts an admin's freeze, and `network_unavailable` if
 * the account may be frozen on the chain, which must be unfrozen first.
 */
export async function unfreezeWallet(
  tx: Tx,
  actor: Actor,
  { key, liftedBy, reason, note, reviewReference, at }: UnfreezeWallet,
): Promise<void> {
  const { tenantId, mode, walletId } = key;
  const accounts = { tenantId, mode, subjectType: "wallet", subjectIds: [walletId] } as const;
  const before = await requireWalletAndAccountsLocked(tx, key);
  if (before.frozenAt === null) return;
  throwIfNotLiftable(before, liftedBy);
  await updateAccounts(tx, accounts, { frozen: null });
  await saveFreeze(tx, actor, {
    before,
    change: UNFROZEN,
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

function throwIfNotLiftable(wallet: Wallet, liftedBy: FreezeSource): void {
  if (wallet.freezeSource === "admin" && liftedBy !== "admin") {
    throw new AppError("admin_review_required", {
      detail: "An admin froze this wallet, so only an admin can unfreeze it. Contact the operator.",
    });
  }
  // A wallet is unfrozen on the chain first, then in the database. This version cannot call a chain.
  if (wallet.mode === "live" && wallet.onchainFreeze !== "not_frozen") {
    throw new AppError("network_unavailable", {
      detail:
        "The account must be unfrozen on the chain first, which is not possible now. The wallet remains frozen. Try again later.",
    });
  }
}
