import { PolicyResource, presentPolicy } from "../../../modules/policies/policy-resource.ts";
import { getPolicy, listPolicies } from "../../../modules/policies/queries.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const getPolicyRoute = endpoint("GET /api/v1/svc/policies/:policy_id", {
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

export const listPoliciesRoute = endpoint("GET /api/v1/svc/policies", {
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
    return presentPage(
      page,
      (policy) => presentPolicy(policy, scope.agentIds),
      ({ policyId }) => policyId,
    );
  },
});
