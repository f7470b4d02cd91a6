import { type Static, Type } from "typebox";
import { Clearable } from "../../../foundation/wire/fields.ts";
import { type PolicyChange, updatePolicy } from "../../../modules/policies/change-policy.ts";
import { PolicyResource, presentPolicy } from "../../../modules/policies/policy-resource.ts";
import { parseNewPolicy } from "../../../modules/policies/rules/parse-rules.ts";
import { PolicyApprovals, PolicyRules } from "../../../modules/policies/rules/rule-schema.ts";
import { actorOf, mayDecideApprovals, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { AppliesTo, DefaultEffect, PolicyName, subjectsOf } from "./policy-fields.ts";

const PolicyUpdateRequest = Type.Object(
  {
    name: Type.Optional(PolicyName),
    default: Type.Optional(DefaultEffect),
    applies_to: Type.Optional({
      ...Clearable(AppliesTo),
      description:
        "The agents, wallets and projects to which the policy applies, up to 1,000 of each. An absent list is unchanged. `null` empties all lists.",
    }),
    rules: Type.Optional(PolicyRules),
    approvals: Type.Optional({
      ...Clearable(PolicyApprovals),
      description: "How people approve. Replaces all current values. `null` restores the default values.",
    }),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "The policy's current `version`. Any other value fails with `version_conflict`. Default: the version is not checked.",
      }),
    ),
  },
  {
    $id: "PolicyUpdateRequest",
    additionalProperties: false,
    description: "Absent fields are unchanged. `rules` and `approvals` are replaced as a whole.",
  },
);

export const updatePolicyRoute = endpoint("PATCH /api/v1/svc/policies/:policy_id", {
  operationId: "updatePolicy",
  sdk: "policies.update",
  summary: "Update a policy",
  description:
    "Changes a policy, which makes a new version. It decides from the next decision on. If no value changes, the version stays. Fails with `version_conflict` if `version` is not the current version.",
  auth: "tenant",
  scope: "policies:write",
  replayGuard: "always",
  body: PolicyUpdateRequest,
  answers: { 200: PolicyResource },
  errors: ["version_conflict"],
  example: {
    rules: [
      {
        id: "tx_cap",
        effect: "deny",
        operation: "payment",
        when: { amount_usd: { gt: "25.00" } },
      },
      { id: "payments", effect: "allow", operation: "payment" },
    ],
  },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const change = changeOf(request.body);
    const mayDecide = mayDecideApprovals(principalOf(request));
    return replyOnce(app, request, reply, { status: 200, present: presentPolicy }, async (saveResponse) => {
      const key = policyKeyOf(request, request.params.policy_id);
      const expectedVersion = request.body.version;
      return updatePolicy(app, { actor, key, change, mayDecide, expectedVersion }, saveResponse);
    });
  },
});

const NO_SUBJECTS = { agent_ids: [], wallet_ids: [], project_ids: [] };

function changeOf(body: Static<typeof PolicyUpdateRequest>): PolicyChange {
  const { rules, approvals } = parseNewPolicy({
    rules: body.rules ?? [],
    approvals: body.approvals ?? undefined,
  }).stored;
  return {
    name: body.name,
    ...subjectsOf(body.applies_to === null ? NO_SUBJECTS : (body.applies_to ?? {})),
    rules: body.rules && rules,
    approvals: body.approvals === undefined ? undefined : approvals,
  };
}
