import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { countPolicies, insertPolicy, type Policy, type PolicyContent } from "./queries.ts";
import { raisePolicyRevision } from "./raise-policy-revision.ts";
import { recordPolicyChange } from "./record-policy-change.ts";

const POLICIES_MAX = QUOTAS.policies.max;

/**
 * Creates a policy in the actor's tenant and mode. Throws `conflict` if the tenant has reached its maximum number of
 * policies.
 */
export async function createPolicy(
  app: Pick<App, "db" | "clock">,
  { actor, content }: { readonly actor: Actor; readonly content: PolicyContent },
  saveResponse: SaveResponse<Policy>,
): Promise<Policy> {
  const { tenantId, mode } = actor;
  return withTransaction(app.db, tenantId, async (tx) => {
    // This locks the revision, so concurrent calls are counted one after another.
    await raisePolicyRevision(tx, actor);
    if ((await countPolicies(tx, actor)) >= POLICIES_MAX) {
      const detail = `This account has reached its limit of ${POLICIES_MAX} ${mode} policies. Delete a policy first.`;
      throw new AppError("conflict", { detail });
    }
    const policy = await insertPolicy(tx, {
      ...content,
      tenantId,
      mode,
      policyId: newId("pol"),
      isStarter: false,
      createdAt: app.clock.now(),
    });
    const facts = { name: policy.name, rules: policy.rules.length };
    await recordPolicyChange(tx, actor, { action: "policy.created", policy, facts });
    await saveResponse(tx, policy);
    return policy;
  });
}
