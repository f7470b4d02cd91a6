import type { Tx } from "../../db/database.ts";
import { invalidField } from "../../foundation/errors.ts";
import { isId } from "../../foundation/ids.ts";
import { findPolicyRow, type PolicyOwner } from "./queries.ts";
import { raisePolicyRevision } from "./raise-policy-revision.ts";

/**
 * Call it in the transaction in which an object of the tenant and mode comes to name this policy, or none. Raises the
 * policy revision. Throws `validation_error` for `/body/policy_id` if there is no such policy.
 */
export async function bindPolicy(tx: Tx, { tenantId, mode }: PolicyOwner, policyId: string | null): Promise<void> {
  await raisePolicyRevision(tx, { tenantId, mode });
  if (policyId === null) return;
  const isKnown =
    isId("pol", policyId) && (await findPolicyRow(tx, { tenantId, mode, agentIds: [], policyId })) !== undefined;
  if (isKnown) return;
  throw invalidField("/body/policy_id", "unknown", `is not a ${mode} policy of this account`);
}
