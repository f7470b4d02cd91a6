import type { App } from "../../app.ts";
import { budgetIdOf, type ReservationCause } from "../../budgets/budget.ts";
import { settleReservation } from "../../budgets/queries.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { usdMicros } from "../../foundation/money.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import {
  draftOf,
  evaluatePolicies,
  type PolicyEvaluation,
  readApplicablePolicy,
  starterDraft,
} from "../policies/evaluate-policies.ts";
import { limitRefusal, policyLimitOf, reserveLimits } from "../policies/policy-limits.ts";
import type { CompiledPolicyRules } from "../policies/rules/compiled-policy.ts";
import type { PolicyFacts } from "../policies/rules/facts.ts";
import {
  type AskedOperation,
  type DecidedOperation,
  dateOf,
  decideOperation,
  kyaLevelOf,
  policiesOf,
} from "./decide-operation.ts";
import { readDecisionFacts } from "./decision-facts.ts";
import { type DecisionQuery, lockPolicyRevision, policyDecisionRows } from "./queries.ts";

/** An operation that costs nothing, and for which no approval can be requested. */
interface FreeOperation extends Omit<AskedOperation, "approved">, Pick<DecisionQuery, "projectId"> {
  readonly cause: Omit<ReservationCause, "mode">;
  /** Says what to do instead if a policy requires an approval. */
  readonly approvalDetail: string;
}

/**
 * Throws `agent_not_found`, `agent_suspended`, `kya_required` or `policy_denied` if the agent must not do this. Otherwise
 * records the decision, and counts the operation in the limits of the policies.
 */
export async function requirePermission(tx: Tx, { cause, approvalDetail, ...operation }: FreeOperation): Promise<void> {
  const { mode, at } = operation;
  const asked = { ...operation, walletId: null, approved: [] };
  const { refusal, asking, limits, row } = await decideInTransaction(tx, asked);
  if (refusal !== undefined) throw refusal;
  if (asking !== undefined) throw new AppError("policy_denied", { detail: approvalDetail });
  if (row !== undefined) await policyDecisionRows.insert(tx, row);
  // The operation costs nothing, so only limits that count operations can refuse it.
  const free = usdMicros(0n);
  const reserved = await reserveLimits(tx, { cause: { ...cause, mode }, amountMicros: free, limits, at });
  if (typeof reserved === "object") throw limitRefusal(limits, reserved);
  if (reserved !== undefined) await settleReservation(tx, { reservationId: reserved, committedMicros: free, at });
}

/**
 * Decides an operation outside a money request. No policy changes until the transaction ends. Throws `agent_not_found`.
 */
export async function decideInTransaction(
  tx: Tx,
  operation: AskedOperation & Pick<DecisionQuery, "walletId" | "projectId">,
): Promise<DecidedOperation> {
  await lockPolicyRevision(tx, operation);
  return decideOperation(await readDecisionFacts(tx, operation), operation);
}

/** The policies to evaluate: a draft, a stored one, or all that apply. */
export type EvaluatedPolicies =
  | { readonly kind: "draft"; readonly rules: CompiledPolicyRules }
  | { readonly kind: "stored"; readonly policyId: string }
  | ({ readonly kind: "applicable" } & Pick<DecisionQuery, "agentId" | "walletId" | "projectId">);

interface EvaluateOperation {
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
