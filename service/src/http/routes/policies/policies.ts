import { type Static, Type } from "typebox";
import { Clearable, Count, StrictObject } from "../../../foundation/wire/fields.ts";
import {
  createPolicy,
  deletePolicy,
  type PolicyChange,
  rollBackPolicy,
  updatePolicy,
} from "../../../modules/policies/change-policy.ts";
import { PolicyResource, presentPolicy } from "../../../modules/policies/policy-resource.ts";
import { getPolicy, getPolicyVersion, listPolicies, type PolicyContent } from "../../../modules/policies/queries.ts";
import { parseNewPolicy } from "../../../modules/policies/rules/parse-rules.ts";
import { PolicyApprovals, PolicyRules } from "../../../modules/policies/rules/rule-schema.ts";
import { actorOf, mayDecideApprovals, principalOf, scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { AppliesTo, DefaultEffect, PolicyName, subjectsOf } from "./policy-fields.ts";

const PolicyCreateRequest = StrictObject("PolicyCreateRequest", {
  name: PolicyName,
  default: Type.Optional(DefaultEffect),
  applies_to: Type.Optional(AppliesTo),
  rules: PolicyRules,
  approvals: Type.Optional(PolicyApprovals),
});

const createPolicyRoute = endpoint("POST /api/v1/svc/policies", {
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

const getPolicyRoute = endpoint("GET /api/v1/svc/policies/:policy_id", {
  operationId: "getPolicy",
  sdk: "policies.get",
  summary: "Get a policy",
  description: "Returns a policy. A key bound to agents gets only the policies of these agents and the starter policy.",
  auth: "tenant",
  scope: "policies:read",
  agentBound: "allowed",
  answers: { 200: PolicyResource },
  run: async (app, request) => {
    const key = policyKeyOf(request, request.params.policy_id);
    return presentPolicy(await getPolicy(app.db, key), key.agentIds);
  },
});

const getPolicyVersionRoute = endpoint("GET /api/v1/svc/policies/:policy_id/versions/:version", {
  operationId: "getPolicyVersion",
  sdk: "policies.version",
  summary: "Get a version of a policy",
  description:
    "Returns a policy as it was in this version, which is its current one or an earlier one. `updated_at` is when the version was made. Fails with `policy_not_found` if there is no such version.",
  auth: "tenant",
  scope: "policies:read",
  answers: { 200: PolicyResource },
  run: async (app, request) => {
    const { policy_id: policyId, version } = request.params;
    // What is no number is no version either.
    const number = /^[1-9][0-9]{0,8}$/.test(version) ? Number(version) : 0;
    return presentPolicy(await getPolicyVersion(app.db, policyKeyOf(request, policyId), number));
  },
});

const listPoliciesRoute = endpoint("GET /api/v1/svc/policies", {
  operationId: "listPolicies",
  sdk: "policies.list",
  summary: "List policies",
  description:
    "Returns the policies in the caller's mode, newest first. Deleted policies are not included. A key bound to agents gets only the policies of these agents and the starter policy.",
  auth: "tenant",
  scope: "policies:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(PolicyResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const scope = scopeOf(request);
    const page = await listPolicies(app.db, scope, { after: decodeIdCursor(cursor, "pol"), limit });
    return presentPage(page, (policy) => presentPolicy(policy, scope.agentIds), "policyId");
  },
});

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
      Count(
        "The policy's current `version`. Any other value fails with `version_conflict`. Default: the version is not checked.",
        { minimum: 1 },
      ),
    ),
  },
  {
    $id: "PolicyUpdateRequest",
    additionalProperties: false,
    description: "Absent fields are unchanged. `rules` and `approvals` are replaced as a whole.",
  },
);

const updatePolicyRoute = endpoint("PATCH /api/v1/svc/policies/:policy_id", {
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

const VERSION_MAX = 2_147_483_647;

const PolicyRollbackRequest = StrictObject("PolicyRollbackRequest", {
  version: Count("The version whose content the new version gets.", { minimum: 1, maximum: VERSION_MAX }),
});

const rollBackPolicyRoute = endpoint("POST /api/v1/svc/policies/:policy_id/rollback", {
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

const deletePolicyRoute = endpoint("DELETE /api/v1/svc/policies/:policy_id", {
  operationId: "deletePolicy",
  sdk: "policies.delete",
  summary: "Delete a policy",
  description:
    "Deletes a policy. Fails with `conflict` for the starter policy, and while it is the `policy_id` of an agent or a project.",
  auth: "tenant",
  scope: "policies:write",
  replayGuard: "strict",
  answers: { 204: Type.Null() },
  errors: ["conflict"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const mayDecide = mayDecideApprovals(principalOf(request));
    const key = policyKeyOf(request, request.params.policy_id);
    await deletePolicy(app, { actor, key, mayDecide });
    return reply.code(204).send(null);
  },
});

export const policyRoutes: readonly Route[] = [
  createPolicyRoute,
  listPoliciesRoute,
  getPolicyRoute,
  getPolicyVersionRoute,
  updatePolicyRoute,
  deletePolicyRoute,
  rollBackPolicyRoute,
];
