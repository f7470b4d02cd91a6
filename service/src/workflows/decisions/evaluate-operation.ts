import type { App } from "../../app.ts";
import { budgetIdOf } from "../../budgets/budget.ts";
import { withTransaction } from "../../db/transaction.ts";
import {
  type EvaluatePolicies,
  evaluatePolicies,
  type LimitUsage,
  NOTHING_USED,
  type UsageOf,
} from "../../modules/policies/index.ts";
import { dateOf, kyaLevelOf, policiesOf } from "./decide-operation.ts";
import { policyLimitOf } from "./policy-limits.ts";
import { type DecisionFacts, selectDecisionFacts } from "./queries.ts";

/**
 * Decides about an operation without doing it. For a known agent, evaluates the policies of its ancestors too, at its
 * know-your-agent level, and with what is used of the limits. Otherwise nothing is used.
 */
export async function evaluateOperation(app: Pick<App, "db">, command: EvaluatePolicies) {
  const { owner, policies, facts } = command;
  const agentId = policies.kind === "applicable" ? policies.subjects.agentId : null;
  if (policies.kind !== "applicable" || agentId === null) {
    return evaluatePolicies(app, command, NOTHING_USED);
  }
  const query = { ...owner, ...policies.subjects, agentId, at: facts.at };
  const [row] = await withTransaction(app.db, owner.tenantId, (tx) =>
    selectDecisionFacts(tx, query),
  );
  const known = row?.facts;
  if (known === null || known === undefined) return evaluatePolicies(app, command, NOTHING_USED);
  const given = policiesOf(known);
  return evaluatePolicies(
    app,
    {
      owner,
      policies: { kind: "given", policies: given },
      facts: { ...facts, kyaLevel: facts.kyaLevel ?? kyaLevelOf(known, facts.at) },
    },
    usageIn(known, given),
  );
}

function usageIn({ used }: DecisionFacts, policies: ReturnType<typeof policiesOf>): UsageOf {
  return (policy, limit): LimitUsage => {
    const member = policies.find((each) => each === policy);
    const usage = member && used[budgetIdOf(policyLimitOf(member, limit))];
    if (usage === undefined) return { used: 0n, resetsAt: null };
    return { used: BigInt(usage.amount), resetsAt: dateOf(usage.resetsAt) };
  };
}
