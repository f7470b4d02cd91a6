import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { newId, type PolicyId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { recordPolicyChange } from "./change-policy.ts";
import { findStarterPolicyId, insertPolicy, raisePolicyRevision } from "./queries.ts";
import type { PolicyApprovals, PolicyRule } from "./rules/rule-schema.ts";

const APPROVALS: PolicyApprovals = {
  approvers: ["role:owner"],
  required: 1,
  expires_in_seconds: 600,
};

/** Returns the starter policy of the actor's tenant and mode. Creates it if it is missing. */
export async function ensureStarterPolicy(tx: Tx, { clock }: Pick<App, "clock">, actor: Actor): Promise<PolicyId> {
  const existing = await findStarterPolicyId(tx, actor);
  if (existing !== undefined) return existing;
  // This locks the revision. A concurrent call waits here and then finds the policy.
  await raisePolicyRevision(tx, actor);
  return (await findStarterPolicyId(tx, actor)) ?? createStarterPolicy(tx, actor, clock.now());
}

async function createStarterPolicy(tx: Tx, actor: Actor, createdAt: Date): Promise<PolicyId> {
  const { tenantId, mode } = actor;
  const policy = await insertPolicy(tx, {
    tenantId,
    mode,
    policyId: newId("pol"),
    isStarter: true,
    name: "Starter policy",
    agentIds: [],
    walletIds: [],
    projectIds: [],
    rules: STARTER_RULES[mode],
    approvals: APPROVALS,
    createdAt,
  });
  const facts = { name: policy.name, rules: policy.rules.length };
  await recordPolicyChange(tx, actor, { action: "policy.created", policy, facts });
  return policy.policyId;
}

const PERMITTED: readonly PolicyRule[] = [
  { id: "allow_payments", effect: "allow", operation: "payment" },
  { id: "allow_wallets", effect: "allow", operation: "wallet.create" },
  { id: "allow_env_pulls", effect: "allow", operation: "env.pull" },
];

/** The rules of a new starter policy (docs/rules/policies.md). */
export const STARTER_RULES = {
  test: [paymentMax("1000.00"), dailyMax("10000.00"), ...PERMITTED],
  live: [
    {
      id: "known_agents_only",
      effect: "deny",
      operation: "payment",
      when: { kya_level: { eq: "none" } },
    },
    paymentMax("25.00"),
    dailyMax("50.00"),
    {
      id: "ask_for_new_payees",
      effect: "require_approval",
      operation: "payment",
      when: { payee_first_seen: true },
    },
    ...PERMITTED,
  ],
} as const satisfies Record<Mode, readonly PolicyRule[]>;

function paymentMax(amount: string): PolicyRule {
  return {
    id: "payment_max",
    effect: "deny",
    operation: "payment",
    when: { amount_usd: { gt: amount } },
  };
}

function dailyMax(max: string): PolicyRule {
  return {
    id: "daily_max",
    effect: "limit",
    operation: "payment",
    budget: { max, currency: "usd", period: "rolling_24h" },
  };
}
