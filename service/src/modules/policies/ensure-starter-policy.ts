import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { newId, type PolicyId } from "../../foundation/ids.ts";
import { findStarterPolicyId, insertPolicy } from "./queries.ts";
import { raisePolicyRevision } from "./raise-policy-revision.ts";
import { recordPolicyChange } from "./record-policy-change.ts";
import type { PolicyApprovals } from "./rules/rule-schema.ts";
import { STARTER_RULES } from "./starter-rules.ts";

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
