import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { appendEvent } from "../../events/append-event.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError } from "../../foundation/errors.ts";
import { throwIfAsksLess } from "./bind-policy.ts";
import { presentPolicy } from "./policy-resource.ts";
import { isPolicyNamed, lockPolicy, markDeleted, type Policy, type PolicyKey } from "./queries.ts";
import { raisePolicyRevision } from "./raise-policy-revision.ts";

/**
 * Deletes a policy. Throws `conflict` for the starter policy, and while the `policy_id` of an agent, a wallet or a
 * project is this policy.
 */
export async function deletePolicy(
  app: Pick<App, "db" | "clock">,
  { actor, key, mayDecide }: { readonly actor: Actor; readonly key: PolicyKey; readonly mayDecide: boolean },
): Promise<void> {
  await withTransaction(app.db, key.tenantId, async (tx) => {
    const policy = await lockPolicy(tx, key);
    // This locks the revision: whatever comes to name the policy is either seen by the check or finds no policy.
    await raisePolicyRevision(tx, key);
    await throwIfNeeded(tx, policy);
    throwIfAsksLess({ mayDecide, from: policy, to: undefined });
    await recordDeletion(tx, actor, await markDeleted(tx, policy, app.clock.now()));
  });
}

async function throwIfNeeded(tx: Tx, policy: Policy): Promise<void> {
  if (policy.isStarter) {
    throw new AppError("conflict", {
      detail: "The starter policy cannot be deleted. Change its rules instead.",
    });
  }
  if (await isPolicyNamed(tx, policy)) {
    throw new AppError("conflict", {
      detail:
        "The policy_id of an agent, a wallet or a project is this policy. Change or clear the policy_id of agents and projects first. The policy of a wallet cannot be deleted; change its rules instead.",
    });
  }
}

/** Deletions have no event type of their own. */
async function recordDeletion(tx: Tx, actor: Actor, policy: Policy): Promise<void> {
  const subject = { type: "policy", id: policy.policyId };
  const occurredAt = policy.updatedAt;
  const facts = { name: policy.name, version: policy.version };
  await appendAuditEntry(tx, actor, { action: "policy.deleted", subject, facts, occurredAt });
  const data = presentPolicy(policy) as Json;
  await appendEvent(tx, actor, { type: "policy.updated", subject, data, occurredAt });
}
