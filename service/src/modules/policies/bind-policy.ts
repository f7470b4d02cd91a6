import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../db/database.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { isId } from "../../foundation/ids.ts";
import { findPolicyRow, type PolicyContent, type PolicyOwner, raisePolicyRevision } from "./queries.ts";
import { microsOf } from "./rules/compiled-policy.ts";
import type { PolicyRule } from "./rules/rule-schema.ts";

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

type Content = Pick<PolicyContent, "rules" | "approvals">;

interface ThrowIfAsksLess {
  readonly mayDecide: boolean;
  readonly from: Content | undefined;
  readonly to: Content | undefined;
}

/**
 * Throws `insufficient_scope` if a person would be asked less often by `to` than by `from`, unless the caller may decide
 * approvals. Otherwise a key without `approvals:write` could remove the rule that stops it. `to` is undefined if no rules
 * replace those of `from`.
 */
export function throwIfAsksLess({ mayDecide, from, to }: ThrowIfAsksLess): void {
  if (mayDecide || from === undefined || !asksLess(from, to)) return;
  throw new AppError("insufficient_scope", {
    detail:
      "This change removes or loosens a rule that asks a person. It needs a dashboard session, or a key with the scope approvals:write.",
  });
}

interface ThrowIfBoundToLess {
  readonly mayDecide: boolean;
  readonly from: string | null;
  readonly to: string | null;
}

/** Like `throwIfAsksLess`, if an object with the policy `from` names another one or none. */
export async function throwIfBoundToLess(
  tx: Tx,
  owner: PolicyOwner,
  { mayDecide, from, to }: ThrowIfBoundToLess,
): Promise<void> {
  if (mayDecide || from === null || from === to) return;
  const read = async (policyId: string | null) =>
    policyId !== null && isId("pol", policyId) ? findPolicyRow(tx, { ...owner, agentIds: [], policyId }) : undefined;
  throwIfAsksLess({ mayDecide, from: await read(from), to: await read(to) });
}

function asksLess(from: Content, to: Content | undefined): boolean {
  const [before, after] = [from.approvals.threshold_usd, to?.approvals.threshold_usd];
  if (before !== undefined && (after === undefined || microsOf(after) > microsOf(before))) {
    return true;
  }
  const stopping = (to?.rules ?? []).filter(({ effect }) => effect === "require_approval" || effect === "deny");
  return from.rules.some(
    (rule) => rule.effect === "require_approval" && !stopping.some((other) => covers(other, rule)),
  );
}

/** Returns true if a rule matches whatever the other one matches. */
function covers(rule: PolicyRule, { operation = "*", when = {} }: PolicyRule): boolean {
  const isAbout = [undefined, "*", operation].includes(rule.operation);
  const conditions = rule.when ?? {};
  return isAbout && (Object.keys(conditions).length === 0 || isDeepStrictEqual(conditions, when));
}
