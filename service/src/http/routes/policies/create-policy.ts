import { type Static, Type } from "typebox";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { createPolicy } from "../../../modules/policies/change-policy.ts";
import { PolicyResource, presentPolicy } from "../../../modules/policies/policy-resource.ts";
import type { PolicyContent } from "../../../modules/policies/queries.ts";
import { parseNewPolicy } from "../../../modules/policies/rules/parse-rules.ts";
import { PolicyApprovals, PolicyRules } from "../../../modules/policies/rules/rule-schema.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { AppliesTo, DefaultEffect, PolicyName, subjectsOf } from "./policy-fields.ts";

const PolicyCreateRequest = StrictObject("PolicyCreateRequest", {
  name: PolicyName,
  default: Type.Optional(DefaultEffect),
  applies_to: Type.Optional(AppliesTo),
  rules: PolicyRules,
  approvals: Type.Optional(PolicyApprovals),
});

export const createPolicyRoute = endpoint("POST /api/v1/svc/policies", {
  operationId: "createPolicy",
  sdk: "policies.create",
  summary: "Create a policy",
  description:
    "Creates a policy in the caller's mode. It applies from the next decision on to the agents, wallets and projects that it names. Fails with `conflict` if the account has 200 policies in this mode.",
  auth: "tenant",
  scope: "policies:write",
  replayGuard: "always",
  body: PolicyCreateRequest,
  answers: { 201: PolicyResource },
  errors: ["conflict"],
  example: {
    name: "buyer",
    rules: [{ id: "payments", effect: "allow", operation: "payment" }],
  },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const content = contentOf(request.body);
    return replyOnce(app, request, reply, { status: 201, present: presentPolicy }, (saveResponse) =>
      createPolicy(app, { actor, content }, saveResponse),
    );
  },
});

function contentOf(body: Static<typeof PolicyCreateRequest>): PolicyContent {
  const { agentIds = [], walletIds = [], projectIds = [] } = subjectsOf(body.applies_to ?? {});
  const { rules, approvals } = parseNewPolicy(body).stored;
  return { name: body.name, agentIds, walletIds, projectIds, rules, approvals };
}
