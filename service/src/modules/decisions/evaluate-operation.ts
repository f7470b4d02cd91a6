import type { App } from "../../app.ts";
import { budgetIdOf } from "../../budgets/budget.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import {
  draftOf,
  evaluatePolicies,
  type PolicyEvaluation,
  readApplicablePolicy,
  starterDraft,
} from "../policies/evaluate-policies.ts";
import { policyLimitOf } from "../policies/policy-limits.ts";
import type { CompiledPolicyRules } from "../policies/rules/compiled-policy.ts";
import type { PolicyFacts } from "../policies/rules/facts.ts";
import { dateOf, kyaLevelOf, policiesOf } from "./decide-operation.ts";
import { readDecisionFacts } from "./decision-facts.ts";
import type { DecisionQuery } from "./queries.ts";

/** The policies to evaluate: a draft, a stored one, or all that apply. */
export type EvaluatedPolicies =
  | { readonly kind: "draft"; readonly rules: CompiledPolicyRules }
  | { readonly kind: "stored"; readonly policyId: string }
  | ({ readonly kind: "applicable" } & Pick<DecisionQuery, "agentId" | "walletId" | "projectId">);

export interface EvaluateOperation {
  readonly owner: Pick<TenantScope, "tenantId" | "mode">;
  readonly policies: EvaluatedPolicies;
  readonly facts: PolicyFacts;
}

/**
 * Decides about an operation without doing it. The policies that apply are evaluated at the agent's know-your-agent level
 * and with what is used of their limits; a draft or a single policy as if nothing was used.
 */
export async function evaluateOperation(
  app: Pick<App, "db">,
  { owner, policies, facts }: EvaluateOperation,
): Promise<PolicyEvaluation> {
  switch (policies.kind) {
    case "draft":
      return evaluatePolicies([draftOf(policies.rules)], facts);
    case "stored": {
      const stored = await readApplicablePolicy(app, owner, policies.policyId);
      return evaluatePolicies([stored], facts);
    }
    case "applicable":
      return evaluateApplicable(app, { owner, policies, facts });
  }
}

async function evaluateApplicable(
  { db }: Pick<App, "db">,
  {
    owner,
    policies: { agentId, walletId, projectId },
    facts,
  }: EvaluateOperation & {
    readonly policies: Extract<EvaluatedPolicies, { readonly kind: "applicable" }>;
  },
): Promise<PolicyEvaluation> {
  const { tenantId, mode } = owner;
  const query = { tenantId, mode, agentId, walletId, projectId, at: facts.at };
  const known = await readDecisionFacts(db, query);
  if (known.isTooLarge) {
    throw new AppError("conflict", { detail: "The policies that apply are too large to decide." });
  }
  const applied = policiesOf(known);
  const hasAgent = known.members.some(({ status }) => status !== null);
  const kya_level = facts.kya_level ?? (hasAgent ? kyaLevelOf(known, facts.at) : undefined);
  if (applied.length === 0) return evaluatePolicies([starterDraft(mode)], { ...facts, kya_level });
  return evaluatePolicies(applied, { ...facts, kya_level }, (policy, limit) => {
    const usage = known.used[budgetIdOf(policyLimitOf(policy, limit))];
    return { used: BigInt(usage?.amount ?? 0), resetsAt: dateOf(usage?.resetsAt ?? null) };
  });
}
