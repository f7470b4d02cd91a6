import { type Static, Type } from "typebox";
import { Count, Flag, ListOf, ModeName, OneOf, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { Policy } from "./queries.ts";
import { compilePolicy } from "./rules/compiled-policy.ts";
import { findUnmatchable } from "./rules/find-unmatchable.ts";
import { PolicyApprovalsResource, PolicyRuleResource } from "./rules/rule-schema.ts";

const WARNINGS_MAX = 50;

/** The API representation of a policy (docs/rules/policies.md). */
export const PolicyResource = Type.Object(
  {
    object: Type.Literal("policy"),
    policy_id: Type.String(),
    mode: ModeName,
    name: Type.String(),
    version: Count("Number of the current version. The first version is 1, and each change adds one."),
    status: OneOf(
      ["active", "deleted"],
      "Status of the policy. `deleted` only in the `policy.updated` event of its deletion.",
    ),
    default: OneOf(["deny"], "What happens to an operation that no rule allows: it is refused."),
    starter: Flag(
      "Whether this is the starter policy of the account and mode. It applies to agents to which no other policy applies, and cannot be deleted.",
    ),
    applies_to: Type.Object(
      {
        agent_ids: Type.Array(Type.String()),
        wallet_ids: Type.Array(Type.String()),
        project_ids: Type.Array(Type.String()),
      },
      {
        description:
          "The agents, wallets and projects to which the policy applies. A key that is bound to agents sees only its own agents. It also applies to agents and projects whose `policy_id` is its id.",
      },
    ),
    rules: ListOf(PolicyRuleResource, "The rules, in the order of the request."),
    approvals: PolicyApprovalsResource,
    warnings: Type.Optional(
      ListOf(
        Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() }),
        "Conditions that no operation of this version can match, up to 50. `pointer` is the JSON pointer to each. Absent if there are none.",
      ),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Policy", description: "A policy: the rules that decide what agents can do." },
);

/** @param agentIds the agents that the calling key is bound to, which learns of no others; empty for other callers */
export function presentPolicy(policy: Policy, agentIds: readonly string[] = []): Static<typeof PolicyResource> {
  const isShown = (agentId: string) => agentIds.length === 0 || agentIds.includes(agentId);
  return toWire(PolicyResource, policy, {
    status: policy.deletedAt === null ? "active" : "deleted",
    default: "deny",
    starter: policy.isStarter,
    applies_to: {
      agent_ids: policy.agentIds.filter(isShown),
      wallet_ids: [...policy.walletIds],
      project_ids: [...policy.projectIds],
    },
    ...warningsOf(policy),
  });
}

/** Rules that older versions stored can also contain what is refused now. */
function warningsOf(policy: Pick<Policy, "rules" | "approvals">) {
  const warnings = findUnmatchable(compilePolicy(policy), "").slice(0, WARNINGS_MAX);
  return (
    warnings.length > 0 && {
      warnings: warnings.map(({ pointer, code, detail }) => ({ pointer, code, detail })),
    }
  );
}
