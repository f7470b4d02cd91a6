import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId, WalletId } from "../../../foundation/ids.ts";
import { formatTokenAmount } from "../../../foundation/money/token-amount.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { lockAccounts } from "../../../ledger/lock-accounts.ts";
import { updateAccounts } from "../../../ledger/queries.ts";
import { listWalletIds, type WalletsKey } from "./queries.ts";

interface AgentsKey {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** UUIDs in lowercase. */
  readonly agentIds: readonly string[];
}

/**
 * Stops or resumes outgoing payments of all wallets of these agents. The caller must have locked the agents: a creation of
 * a wallet locks its agent too, so that it has either committed or finds the agent's new status.
 */
export async function setWalletsStopped(tx: Tx, { agentIds, ...owner }: AgentsKey, stopped: boolean): Promise<void> {
  const subjectIds = await listWalletIds(tx, { ...owner, agentIds });
  if (subjectIds.length === 0) return;
  await updateAccounts(tx, { ...owner, subjectType: "wallet", subjectIds }, { stopped });
}

/** Returns the ids of all wallets of an agent: at most one for each network. */
export async function listAgentWalletIds(
  tx: Tx,
  { tenantId, mode, agentId }: Omit<AgentsKey, "agentIds"> & { readonly agentId: string },
): Promise<readonly WalletId[]> {
  return listWalletIds(tx, { tenantId, mode, agentIds: [agentId] });
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
