import { budgetIdOf } from "../../budgets/budget.ts";
import type { ApprovalRule } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import type { KyaLevel } from "../../foundation/vocabulary.ts";
import { effectiveStatusAt } from "../agents/agent-resource.ts";
import { kyaLevelAt } from "../agents/kya/kya.ts";
import { presentRefusal, refusalDetail } from "../policies/evaluation-resource.ts";
import { type PolicyLimit, policyLimitOf } from "../policies/policy-limits.ts";
import type { WindowLimit } from "../policies/rules/compiled-policy.ts";
import { type ApplicablePolicy, decide, type PolicyDecision } from "../policies/rules/decide.ts";
import { type PolicyFacts, storedFactsOf } from "../policies/rules/facts.ts";
import type { DecisionFacts } from "./decision-facts.ts";
import type { DecisionQuery, DecisionRow } from "./queries.ts";

/** What an agent asks to do. */
export interface AskedOperation extends Pick<DecisionQuery, "tenantId" | "mode" | "at"> {
  /** A UUID in lowercase. */
  readonly agentId: string;
  readonly facts: Omit<PolicyFacts, "at" | "kya_level">;
  /** The rules that a person has approved for this operation. */
  readonly approved: readonly ApprovalRule[];
}

export interface DecidedOperation {
  /** The refusal by the agent's status, its know-your-agent level or a policy. */
  readonly refusal: AppError | undefined;
  /** The rules that ask a person, and how long that person has. Undefined unless one asks. */
  readonly asking: { readonly rules: readonly ApprovalRule[]; readonly expiresInSeconds: number } | undefined;
  /** The limits in which the operation must be reserved. */
  readonly limits: readonly PolicyLimit[];
  /** The decision is valid as long as the tenant's policies have this revision. */
  readonly revision: bigint;
  /** The row for back-tests. Undefined if no policy decided. */
  readonly row: DecisionRow | undefined;
  readonly kyaLevel: KyaLevel;
}

/** A policy that applies to the agent, or to an ancestor. */
interface PolicyOfMember extends ApplicablePolicy {
  /** Null without an agent. */
  readonly memberId: string | null;
}

/**
 * Decides by the policies of the agent, of its ancestors, of the wallet and of the project (docs/rules/policies.md).
 * Throws `agent_not_found`.
 */
export function decideOperation(facts: DecisionFacts, operation: AskedOperation): DecidedOperation {
  const { at } = operation;
  const revision = BigInt(facts.revision);
  const members = facts.members.map(({ status, expiresAt }) => {
    if (status !== null) return { status, expiresAt: dateOf(expiresAt) };
    const internal = `agent ${operation.agentId} does not exist`;
    throw new AppError("agent_not_found", { internal });
  });
  const kyaLevel = kyaLevelOf(facts, at);
  const undecided = { asking: undefined, limits: [], revision, row: undefined, kyaLevel };
  const status = effectiveStatusAt(members, at);
  if (status !== "active") {
    const detail = `The agent or one of its ancestors is ${status}. Use an active agent.`;
    const refusal = new AppError("agent_suspended", { detail });
    return { ...undecided, refusal };
  }
  const policies = policiesOf(facts);
  const undecidable = undecidableBecause(facts, policies);
  if (undecidable !== undefined) {
    const refusal = new AppError("policy_denied", { detail: undecidable });
    return { ...undecided, refusal };
  }
  const known: PolicyFacts = { ...operation.facts, at, kya_level: kyaLevel };
  const used = (policy: PolicyOfMember, limit: WindowLimit) => facts.used[budgetIdOf(policyLimitOf(policy, limit))];
  const decision = decide(policies, known, (policy) => ({
    used: (limit) => BigInt(used(policy, limit)?.amount ?? 0),
    satisfied: satisfiedRules(policy, operation.approved),
  }));
  return {
    refusal: refusalOf(decision, used),
    asking: askingOf(decision, policies),
    limits: limitsOf(decision),
    revision,
    row: rowOf(operation, known, decision),
    kyaLevel,
  };
}

/** Returns the agent's know-your-agent level. */
export function kyaLevelOf({ kyb, hasProvenKey, attestedBy, attestedUntil }: DecisionFacts, at: Date): KyaLevel {
  const evidence = {
    kybStatus: kyb.status,
    kybExpiresAt: dateOf(kyb.expiresAt),
    publicKeys: hasProvenKey ? [true] : [],
    attestedBy,
    attestedUntil: dateOf(attestedUntil),
  };
  return kyaLevelAt(evidence, at);
}

export function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** What the decision about one operation can cost: each policy is read, and each limit is locked. */
const POLICY_KIB_MAX = 256;
const LIMITS_MAX = 100;

/** Returns why an operation is refused without a decision. Undefined if it can be decided. */
function undecidableBecause({ isTooLarge }: DecisionFacts, policies: readonly PolicyOfMember[]): string | undefined {
  if (isTooLarge) {
    return `The policies that apply have more than ${POLICY_KIB_MAX} KiB together. Use fewer or shorter ones.`;
  }
  if (policies.length === 0) return "No policy allows the agent anything.";
  const limits = policies.flatMap(({ rules }) => rules.rules.filter((rule) => rule.limit));
  if (limits.length <= LIMITS_MAX) return undefined;
  return `The policies that apply have more than ${LIMITS_MAX} limits together. Remove some.`;
}

/** A member to which no policy applies has the starter policy. */
export function policiesOf({ members, policies }: DecisionFacts): PolicyOfMember[] {
  return members.flatMap(({ agentId: memberId }) => {
    const own = policies.filter(
      (policy) => policy.namesSubject || (memberId !== null && policy.members.includes(memberId)),
    );
    const applied = own.length > 0 ? own : policies.filter(({ isStarter }) => isStarter);
    return applied.map(({ policyId, version, rules }) => ({ policyId, version, memberId, rules }));
  });
}

function satisfiedRules({ policyId, version }: PolicyOfMember, approved: readonly ApprovalRule[]): ReadonlySet<string> {
  // A person has agreed to the rules of one version.
  return new Set(
    approved.flatMap((rule) => (rule.policyId === policyId && rule.policyVersion === version ? [rule.ruleId] : [])),
  );
}

type Used = (policy: PolicyOfMember, limit: WindowLimit) => DecisionFacts["used"][string] | undefined;

function refusalOf(decision: PolicyDecision<PolicyOfMember>, used: Used): AppError | undefined {
  const { policyId, kya, windowLimits, ruleId } = decision;
  const window = windowLimits.find(({ policy, limit }) => policy.policyId === policyId && limit.ruleId === ruleId);
  const resetsAt = window && used(window.policy, window.limit)?.resetsAt;
  const refusal = presentRefusal(decision, dateOf(resetsAt ?? null));
  if (refusal === null) return undefined;
  if (kya !== undefined) {
    const { actualLevel, requiredLevel } = kya;
    return new AppError("kya_required", {
      detail: `The know-your-agent level is ${actualLevel}, and a policy requires ${requiredLevel}.`,
      decision: refusal,
      nextAction: { type: "add_evidence", actor: "human" },
    });
  }
  return new AppError("policy_denied", {
    detail: refusalDetail(decision),
    decision: refusal,
  });
}

/** Returns the rules that ask, and the shortest time that their policies give a person. */
function askingOf(
  { approvalRules: rules, outcome }: PolicyDecision<PolicyOfMember>,
  policies: readonly PolicyOfMember[],
): DecidedOperation["asking"] {
  if (outcome !== "require_approval") return undefined;
  const asking = new Set(rules.map(({ policyId }) => policyId));
  const times = policies
    .filter(({ policyId }) => asking.has(policyId))
    .map(({ rules: { expiresInSeconds } }) => expiresInSeconds);
  return { rules, expiresInSeconds: Math.min(...times) };
}

/** Returns the budget of each limit once, even if it is shared by several members. */
function limitsOf({ windowLimits }: PolicyDecision<PolicyOfMember>): PolicyLimit[] {
  const limits = windowLimits.map(({ policy, limit }) => policyLimitOf(policy, limit));
  return [...new Map(limits.map((limit) => [budgetIdOf(limit), limit])).values()];
}

function rowOf(
  { tenantId, mode, agentId, at }: AskedOperation,
  facts: PolicyFacts,
  { outcome, policyId, policyVersion, ruleId }: PolicyDecision,
): DecisionRow | undefined {
  if (policyId === null) return undefined;
  return {
    ...{ tenantId, mode, agentId, outcome, policyId, policyVersion, ruleId },
    decisionId: newId("pdc"),
    operation: facts.operation,
    facts: JSON.stringify(storedFactsOf(facts)),
    decidedAt: at,
  };
}
