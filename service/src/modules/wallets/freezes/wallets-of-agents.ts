import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { WalletId } from "../../../foundation/ids.ts";
import { formatTokenAmount } from "../../../foundation/money/token-amount.ts";
import { FREEZE_REASONS } from "../../../foundation/vocabulary.ts";
import { lockAccounts, updateAccounts } from "../../../ledger/queries.ts";
import type { AgentKey } from "../../agents/queries.ts";
import { freezeWallets } from "./freeze-wallets.ts";
import { type AgentWalletsKey, listWalletIds, type WalletsKey } from "./queries.ts";

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
