import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { budgetIdOf } from "../../budgets/budget.ts";
import type { Db } from "../../db/database.ts";
import { withSnapshot } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { formatUsdMicros, usdMicros, usdMicrosFromCents } from "../../foundation/money.ts";
import { BUDGET_PERIODS, POLICY_OPERATIONS } from "../../foundation/vocabulary.ts";
import {
  DecimalOut,
  Flag,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { getAgent } from "../../modules/agents/agents.ts";
import type { ScopedAgentKey } from "../../modules/agents/queries.ts";
import { listSpendingByProvider } from "../../modules/charges/queries.ts";
import { dateOf, policiesOf } from "../../modules/decisions/decide-operation.ts";
import { type DecisionFacts, readDecisionFacts } from "../../modules/decisions/decision-facts.ts";
import { listPolicySubjects, type PolicySubject, readReserved } from "../../modules/decisions/queries.ts";
import { policyLimitOf } from "../../modules/policies/policy-limits.ts";
import { readPolicyNames } from "../../modules/policies/queries.ts";
import type { CompiledRule } from "../../modules/policies/rules/compiled-policy.ts";
import { PROJECT_CAP, PROVIDER_CAP } from "../../modules/projects/caps.ts";
import { CapBehaviorName } from "../../modules/projects/project-resource.ts";
import { listProjectOverviews, type ProjectOverview } from "../../modules/projects/queries.ts";

/** How many projects, and how many wallets and projects with a policy of their own, are read. */
const SUBJECTS_MAX = 20;

const numbers = {
  limit: Text("An amount in US dollars, or a number of operations for a `count`."),
  spent: Text("What was used of it in the window."),
  reserved: Text("What is held of it, for example for authorizations."),
  remaining: Text("What is neither spent nor reserved."),
};

const AgentLimitResource = NamedObject("AgentLimit", {
  policy_id: Type.String(),
  policy_name: Type.String(),
  policy_version: Type.Integer(),
  rule_id: Type.String(),
  operation: Nullable(
    Type.Enum([...POLICY_OPERATIONS]),
    "The operation that the rule is about. Null: every operation.",
  ),
  conditional: Flag("Whether the rule has conditions, so that not every operation counts."),
  kind: OneOf(["budget", "count"], "Whether amounts or operations are limited."),
  window: OneOf(["per_tx", ...BUDGET_PERIODS], "`per_tx`: each single operation."),
  shared: Flag("Whether all agents of the policy count together."),
  agent_id: Nullable(
    Type.String(),
    "The agent that counts: this one, or an ancestor. Null for a shared limit, and for `per_tx`.",
  ),
  wallet_id: Nullable(Type.String(), "The limit applies only to this wallet of the agent. Null: to all."),
  project_id: Nullable(Type.String(), "The limit applies only in this project. Null: in all."),
  currency: Nullable(Type.Enum(["usd"]), "Null for a `count`."),
  ...numbers,
  resets_at: Nullable(Timestamp, "When what is used decreases next. Null if nothing is used, and for `per_tx`."),
});

const AgentCapResource = NamedObject("AgentCap", {
  rule_id: OneOf([PROJECT_CAP, PROVIDER_CAP], "As in the refusal `cap_exceeded`."),
  project_id: Type.String(),
  project_name: Type.String(),
  provider: Nullable(Type.String(), "The provider of a `provider_cap`. Null for a `project_cap`."),
  cap_behavior: CapBehaviorName,
  window: Type.Enum(["calendar_month"]),
  currency: Type.Enum(["usd"]),
  limit: DecimalOut,
  spent: DecimalOut,
  reserved: DecimalOut,
  remaining: DecimalOut,
  resets_at: Timestamp,
});

export const AgentBudgetsResource = NamedObject("AgentBudgets", {
  object: Type.Literal("agent_budgets"),
  agent_id: Type.String({ format: "uuid" }),
  mode: ModeName,
  limits: ListOf(
    AgentLimitResource,
    "The limits of the policies of the agent and its ancestors, and of those of its wallets and projects.",
  ),
  caps: ListOf(AgentCapResource, `The monthly caps of the ${SUBJECTS_MAX} newest projects that list the agent.`),
  as_of: Timestamp,
});

type AgentBudgets = Static<typeof AgentBudgetsResource>;

/**
 * Returns every budget that limits the agent now, from one snapshot of the database. Throws `agent_not_found`, and
 * `conflict` if the policies are too large to decide.
 */
export async function readAgentBudgets(
  { db, clock }: Pick<App, "db" | "clock">,
  key: ScopedAgentKey,
): Promise<AgentBudgets> {
  const at = clock.now();
  const { agentId, mode } = key;
  return withSnapshot(db, key.tenantId, async (tx) => {
    await getAgent(tx, key);
    return {
      object: "agent_budgets",
      agent_id: agentId,
      mode,
      limits: await readLimits(tx, key, at),
      caps: await readCaps(tx, key, at),
      as_of: at.toISOString(),
    };
  });
}

interface FoundLimit {
  readonly policy: ReturnType<typeof policiesOf>[number];
  readonly rule: CompiledRule;
  readonly limit: NonNullable<CompiledRule["limit"]>;
  readonly subject: PolicySubject;
  /** What is used of it. Undefined if nothing is. */
  readonly usage: DecisionFacts["used"][string] | undefined;
}

const WHOLE_AGENT: PolicySubject = { walletId: null, projectId: null };

async function readLimits(db: Db, key: ScopedAgentKey, at: Date): Promise<AgentBudgets["limits"]> {
  const { tenantId, mode, agentId } = key;
  const subjects = await listPolicySubjects(db, { ...key, max: SUBJECTS_MAX });
  const found = new Map<string, FoundLimit>();
  for (const subject of [WHOLE_AGENT, ...subjects]) {
    const facts = await readDecisionFacts(db, { tenantId, mode, agentId, ...subject, at });
    if (facts.isTooLarge) {
      throw new AppError("conflict", { detail: "The policies that apply are too large to decide." });
    }
    // A limit that applies to the agent as a whole is not repeated for its wallets and projects.
    for (const [id, limit] of limitsOf(facts, subject)) if (!found.has(id)) found.set(id, limit);
  }
  const reserved = await readReserved(db, { tenantId, budgetIds: [...found.keys()], at });
  const policyIds = [...new Set([...found.values()].map(({ policy }) => policy.policyId))];
  const names = await readPolicyNames(db, key, policyIds);
  return [...found].map(([id, limit]) =>
    presentLimit(limit, { name: names.get(limit.policy.policyId) ?? "", reserved: reserved.get(id) ?? 0n }),
  );
}

/** Returns each limit by the id of its budget, or by a name of its own if it is for single operations. */
function limitsOf(facts: DecisionFacts, subject: PolicySubject): (readonly [string, FoundLimit])[] {
  return policiesOf(facts).flatMap((policy) =>
    policy.rules.rules.flatMap((rule) => {
      const { limit } = rule;
      if (limit === undefined) return [];
      const id = limit.period === "per_tx" ? `${policy.policyId} ${rule.id}` : budgetIdOf(policyLimitOf(policy, limit));
      return [[id, { policy, rule, limit, subject, usage: facts.used[id] }] as const];
    }),
  );
}

function presentLimit(
  { policy, rule, limit, subject, usage }: FoundLimit,
  { name, reserved }: { readonly name: string; readonly reserved: bigint },
): AgentBudgets["limits"][number] {
  const { policyId, version, memberId } = policy;
  const { kind, max, period, isShared } = limit;
  const used = BigInt(usage?.amount ?? 0);
  const format = (value: bigint) => (kind === "count" ? `${value}` : formatUsdMicros(usdMicros(value)));
  return {
    ...{ policy_id: policyId, policy_name: name, policy_version: version, rule_id: rule.id },
    operation: rule.operation ?? null,
    conditional: rule.conditions.length > 0,
    ...{ kind, window: period, shared: isShared },
    agent_id: isShared || period === "per_tx" ? null : memberId,
    ...{ wallet_id: subject.walletId, project_id: subject.projectId },
    currency: kind === "count" ? null : "usd",
    limit: format(max),
    spent: format(used - reserved),
    reserved: format(reserved),
    remaining: format(used < max ? max - used : 0n),
    resets_at: dateOf(usage?.resetsAt ?? null)?.toISOString() ?? null,
  };
}

async function readCaps(
  db: Db,
  { tenantId, mode, agentId, projectIds }: ScopedAgentKey,
  now: Date,
): Promise<AgentBudgets["caps"]> {
  const scope = { tenantId, mode, agentIds: [agentId], projectIds };
  const page = { now, after: undefined, limit: SUBJECTS_MAX, offset: 0 };
  const caps: AgentBudgets["caps"] = [];
  for (const project of await listProjectOverviews(db, scope, page)) {
    const { spentMicros, reservedMicros } = project.usage;
    caps.push(presentCap(project, null, project.monthlyCapCents, [spentMicros, reservedMicros]));
    const providers = Object.entries(project.providerCaps);
    if (providers.length === 0) continue;
    const spending = await listSpendingByProvider(db, project, project.usage.period.start);
    for (const [provider, cents] of providers) {
      const part = spending.find((one) => one.provider === provider);
      caps.push(presentCap(project, provider, BigInt(cents), [part?.spentMicros ?? 0n, part?.heldMicros ?? 0n]));
    }
  }
  return caps;
}

function presentCap(
  { projectId, name, capBehavior, usage }: ProjectOverview,
  provider: string | null,
  capCents: bigint,
  [spent, reserved]: readonly [spent: bigint, reserved: bigint],
): AgentBudgets["caps"][number] {
  const format = (micros: bigint) => formatUsdMicros(usdMicros(micros));
  const left = usdMicrosFromCents(capCents) - spent - reserved;
  return {
    rule_id: provider === null ? PROJECT_CAP : PROVIDER_CAP,
    ...{ project_id: projectId, project_name: name, provider, cap_behavior: capBehavior },
    ...{ window: "calendar_month", currency: "usd" },
    limit: format(usdMicrosFromCents(capCents)),
    spent: format(spent),
    reserved: format(reserved),
    remaining: format(left > 0n ? left : 0n),
    resets_at: usage.period.end.toISOString(),
  };
}
