import { Type } from "typebox";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { rollBackPolicy } from "../../../modules/policies/change-policy.ts";
import { PolicyResource, presentPolicy } from "../../../modules/policies/policy-resource.ts";
import { actorOf, mayDecideApprovals, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

const VERSION_MAX = 2_147_483_647;

const PolicyRollbackRequest = StrictObject("PolicyRollbackRequest", {
  version: Type.Integer({
    minimum: 1,
    maximum: VERSION_MAX,
    description: "The version whose content the new version gets.",
  }),
});

export const rollBackPolicyRoute = endpoint("POST /api/v1/svc/policies/:policy_id/rollback", {
  operationId: "rollBackPolicy",
  sdk: "policies.rollback",
  summary: "Roll back a policy",
  description:
    "Makes a new version with the name, the rules, `applies_to` and `approvals` of an existing version. Fails with `validation_error` if the version does not exist.",
  auth: "tenant",
  scope: "policies:write",
  replayGuard: "always",
  body: PolicyRollbackRequest,
  answers: { 200: PolicyResource },
  errors: ["validation_error"],
  example: { version: 1 },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const { version } = request.body;
    const mayDecide = mayDecideApprovals(principalOf(request));
    return replyOnce(app, request, reply, { status: 200, present: presentPolicy }, async (saveResponse) => {
      const key = policyKeyOf(request, request.params.policy_id);
      return rollBackPolicy(app, { actor, key, version, mayDecide }, saveResponse);
    });
  },
});
