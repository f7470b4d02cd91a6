import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { LedgerAccountId, TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { requireActiveAgent } from "../../modules/agents/index.ts";
import { listAccountStates } from "./queries.ts";

/**
 * Throws `agent_suspended` if the agent that sends the money is not active, and `wallet_frozen` if a wallet is frozen. The
 * move in the ledger checks both again, under the lock of the accounts. This check comes first, because it takes precedence
 * over the payment's status, and an agent is expired before its accounts are stopped.
 */
export async function throwIfBlocked(
  tx: Tx,
  {
    tenantId,
    mode,
    agentId,
    debitAccountId,
    creditAccountId,
    at,
  }: {
    readonly tenantId: TenantId;
    readonly mode: Mode;
    /** The agent whose wallet sends the money. */
    readonly agentId: string;
    readonly debitAccountId: LedgerAccountId;
    readonly creditAccountId: LedgerAccountId;
    readonly at: Date;
  },
): Promise<void> {
  await requireActiveAgent(tx, { tenantId, mode, agentId }, at);
  const accountIds = [debitAccountId, creditAccountId];
  const accounts = await listAccountStates(tx, { tenantId, accountIds });
  for (const { accountId, frozen, stopped } of accounts) {
    const isDebit = accountId === debitAccountId;
    if (isDebit && stopped) throw new AppError("agent_suspended");
    if (frozen === "full" || (isDebit && frozen !== null)) throw new AppError("wallet_frozen");
  }
}
