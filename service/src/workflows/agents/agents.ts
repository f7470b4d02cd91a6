import type { Static } from "typebox";
import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import { budgetIdOf } from "../../budgets/budget.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { formatUsdMicros, usdMicros } from "../../foundation/money.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { BudgetPeriod } from "../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import type { AgentResource } from "../../modules/agents/agent-resource.ts";
import { type AgentTransition, hideAgent, setAgentStatus } from "../../modules/agents/agents.ts";
import { type AgentKey, type AgentOverview, expiredAgents, listRevokedAgentIds } from "../../modules/agents/queries.ts";
import { policiesOf } from "../../modules/decisions/decide-operation.ts";
import { type DecisionFacts, readDecisionFacts } from "../../modules/decisions/decision-facts.ts";
import { changeKeys, type KeyChange } from "../../modules/developers/keys/change-keys.ts";
import { listAgentKeys, withdrawAgentKeys } from "../../modules/developers/keys/withdraw-keys.ts";
import { policyLimitOf } from "../../modules/policies/policy-limits.ts";
import { raisePolicyRevision } from "../../modules/policies/queries.ts";
import {
  freezeRevokedAgent,
  requireEmptyWallets,
  setWalletsStopped,
} from "../../modules/wallets/freezes/unfreeze-wallet.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";
import { cancelApprovals } from "../decide-approval/approval-subjects.ts";

const DAILY: readonly BudgetPeriod[] = ["calendar_day", "rolling_24h"];
const MONTHLY: readonly BudgetPeriod[] = ["calendar_month", "rolling_30d"];

/**
 * Returns what the limits of the agent's policies, and of its ancestors', leave for a day and for a month. Of several
 * limits, the one of which least remains.
 */
export async function readAgentBudget(
  { db, clock }: Pick<App, "db" | "clock">,
  { tenantId, mode, agentId }: AgentKey,
): Promise<Static<typeof AgentResource>["budget"]> {
  const query = { tenantId, mode, agentId, walletId: null, projectId: null, at: clock.now() };
  const facts = await readDecisionFacts(db, query);
  const [daily, monthly] = [leastRemaining(facts, DAILY), leastRemaining(facts, MONTHLY)];
  return daily === null && monthly === null ? null : { currency: "usd", daily, monthly };
}

function leastRemaining(facts: DecisionFacts, periods: readonly BudgetPeriod[]) {
  const [least] = policiesOf(facts)
    .flatMap((policy) =>
      policy.rules.rules.flatMap(({ limit }) =>
        limit === undefined || limit.period === "per_tx" || limit.kind === "count"
          ? []
          : [policyLimitOf(policy, limit)],
      ),
    )
    .filter(({ period }) => periods.includes(period))
    .map((limit) => {
      const used = BigInt(facts.used[budgetIdOf(limit)]?.amount ?? 0);
      const max = limit.maxMicros ?? 0n;
      return { max, used, remaining: used < max ? max - used : 0n };
    })
    .sort((a, b) => (a.remaining < b.remaining ? -1 : 1));
  if (least === undefined) return null;
  const { max, used, remaining } = least;
  return { limit: format(max), used: format(used), remaining: format(remaining) };
}

function format(micros: bigint): string {
  return formatUsdMicros(usdMicros(micros));
}

interface ChangeAgentStatus {
  readonly actor: Actor;
  readonly key: AgentKey;
  readonly reason: string | null;
}

/**
 * Suspends or resumes an agent. After a suspension, no money leaves its wallets or those of its descendants. After a
 * resumption, descendants that are suspended themselves remain stopped. Does nothing if the agent has the status already.
 * Throws `conflict` if it is revoked or expired, or if it is to be resumed while a kill switch runs that covers it.
 */
export async function suspendOrResumeAgent(
  app: Pick<App, "db" | "clock">,
  command: ChangeAgentStatus & { readonly transition: "suspend" | "resume" },
  saveResponse: SaveResponse<AgentOverview>,
): Promise<AgentOverview> {
  return withTransaction(app.db, command.key.tenantId, async (tx) => {
    if (command.transition === "resume") {
      await assertNotRevoked(tx, command.actor, { agentIds: [command.key.agentId] });
    }
    const agent = await changeAgentStatus(tx, { ...command, at: app.clock.now() });
    await saveResponse(tx, agent);
    return agent;
  });
}

/**
 * Revokes an agent for ever, and the API keys that are bound only to revoked agents. Freezes its wallets and cancels its
 * pending approvals. If the agent is already revoked, only freezes wallets that were unfrozen since.
 */
export async function revokeAgent(
  app: App,
  command: ChangeAgentStatus,
  saveResponse: SaveResponse<AgentOverview>,
): Promise<AgentOverview> {
  return changeKeys(app, command.actor, async (change) => {
    const { agent } = await revokeWithKeys(app, change, command);
    await saveResponse(change.tx, agent);
    return agent;
  });
}

/**
 * Revokes an agent like `revokeAgent`, and hides it. Its id is never free again. Throws `conflict` and changes nothing if
 * one of its wallets has a balance.
 */
export async function deleteAgent(app: App, command: Omit<ChangeAgentStatus, "reason">): Promise<void> {
  await changeKeys(app, command.actor, async (change) => {
    const { walletIds } = await revokeWithKeys(app, change, { ...command, reason: null });
    await requireEmptyWallets(change.tx, { ...command.key, walletIds });
    await hideAgent(change.tx, { ...command, at: change.at });
  });
}

async function revokeWithKeys(app: App, change: KeyChange, command: ChangeAgentStatus) {
  const { tx, at } = change;
  const { key } = command;
  // Approvals are locked before agents and wallets, as in every decision about an approval.
  await raisePolicyRevision(tx, key);
  const { actor } = command;
  await cancelApprovals(tx, app, actor, { agentId: key.agentId });
  const agent = await changeAgentStatus(tx, { ...command, transition: "revoke", at });
  const walletIds = await freezeRevokedAgent(tx, command, at);
  const keys = await listAgentKeys(tx, { ...key, at });
  const named = keys.flatMap((bound) => bound.agentIds.map((agentId) => agentId.toLowerCase()));
  const agentIds = [...new Set(named)];
  const revokedAgentIds = await listRevokedAgentIds(tx, { ...key, agentIds });
  await withdrawAgentKeys(change, keys, { revokedAgentIds });
  // A request of the agent may have asked for an approval before the agent was locked.
  await cancelApprovals(tx, app, actor, { agentId: key.agentId });
  return { agent, walletIds };
}

/**
 * Changes an agent's status and everything that follows from it, in the caller's transaction: the wallets of the agent and
 * its descendants are stopped or resumed. Locks rows in this order: the policy revision, ancestors, the agent, ledger
 * accounts.
 */
export async function changeAgentStatus(
  tx: Tx,
  command: ChangeAgentStatus & { readonly transition: AgentTransition; readonly at: Date },
): Promise<AgentOverview> {
  const { tenantId, mode } = command.key;
  await raisePolicyRevision(tx, { tenantId, mode });
  const { agent, stopped, running } = await setAgentStatus(tx, command);
  // One call is enough, and keeps the order of locks. If an agent can act now, this change was a resumption, and the
  // wallets of the others are stopped already.
  const isResumed = running.length > 0;
  const agentIds = isResumed ? running : stopped;
  await setWalletsStopped(tx, { tenantId, mode, agentIds }, !isResumed);
  return agent;
}

/**
 * Sets the status of expired agents to `expired` and sends an event for each. Every reader sees the status `expired` even
 * before this job runs (see `statusAt`).
 */
export async function expireAgents({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await tryEach(expiredAgents(db, clock), (agent) => expireAgent({ db }, agent, clock.now()));
}

async function expireAgent({ db }: Pick<App, "db">, { tenantId, mode, agentId }: AgentKey, at: Date): Promise<void> {
  const key = { tenantId, mode, agentId };
  const actor = systemActor(key);
  await withTransaction(db, tenantId, (tx) =>
    changeAgentStatus(tx, { actor, key, transition: "expire", reason: null, at }),
  ).catch((thrown: unknown) => {
    // The agent was revoked, deleted or given more time since it was listed.
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.code !== "conflict" && thrown.code !== "agent_not_found") throw thrown;
  });
}
