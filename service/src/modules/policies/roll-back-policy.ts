import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { invalidField } from "../../foundation/errors.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { findVersion, lockPolicy, type Policy, type PolicyKey, replaceContent } from "./queries.ts";
import { raisePolicyRevision } from "./raise-policy-revision.ts";
import { recordPolicyChange } from "./record-policy-change.ts";
import { throwIfReplacedByLess } from "./update-policy.ts";

export interface RollBackPolicy {
  readonly actor: Actor;
  readonly key: PolicyKey;
  readonly version: number;
  /** Whether the caller may decide approvals. */
  readonly mayDecide: boolean;
}

/** Makes a new version with the content of an existing one. Throws `validation_error` if there is no such version. */
export async function rollBackPolicy(
  app: Pick<App, "db" | "clock">,
  { actor, key, version, mayDecide }: RollBackPolicy,
  saveResponse: SaveResponse<Policy>,
): Promise<Policy> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const before = await lockPolicy(tx, key);
    const content = await findVersion(tx, before, version);
    if (content === undefined) {
      throw invalidField("/body/version", "unknown", "is not a version of this policy");
    }
    await raisePolicyRevision(tx, key);
    throwIfReplacedByLess({ mayDecide, before, after: content });
    const policy = await replaceContent(tx, before, content, app.clock.now());
    const facts = { restored_version: version };
    await recordPolicyChange(tx, actor, { action: "policy.rolled_back", policy, facts });
    await saveResponse(tx, policy);
    return policy;
  });
}
