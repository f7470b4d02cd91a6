import type { Static } from "typebox";
import type { App } from "../../app.ts";
import { budgetIdOf } from "../../budgets/budget.ts";
import { formatUsdMicros, usdMicros } from "../../foundation/money/usd-micros.ts";
import type { BudgetPeriod } from "../../foundation/vocabulary.ts";
import type { AgentResource } from "../../modules/agents/agent-resource.ts";
import type { AgentKey } from "../../modules/agents/queries.ts";
import { policiesOf } from "../../modules/decisions/decide-operation.ts";
import { type DecisionFacts, readDecisionFacts } from "../../modules/decisions/decision-facts.ts";
import { policyLimitOf } from "../../modules/policies/policy-limits.ts";

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
