import { PolicyResource, presentPolicy } from "../../../modules/policies/policy-resource.ts";
import { getPolicy, listPolicies } from "../../../modules/policies/queries.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint, principalOf } from "../../route.ts";

export const getPolicyRoute = endpoint("GET /api/v1/svc/policies/:policy_id", {
  config: {
    auth: "tenant",
    scope: "policies:read",
    agentBound: "allowed",
    sample: { sdk: "policies.get(POLICY_ID)" },
  },
  schema: {
    operationId: "getPolicy",
    summary: "Get a policy",
    description:
      "Returns a policy. A key bound to agents gets only the policies of these agents and the starter policy.",
    response: { 200: PolicyResource },
  },
  handler: async (app, request) => {
    const key = policyKeyOf(request, request.params.policy_id);
    return presentPolicy(await getPolicy(app.db, key), key.agentIds);
  },
});

export const listPoliciesRoute = endpoint("GET /api/v1/svc/policies", {
  config: {
    auth: "tenant",
    scope: "policies:read",
    agentBound: "allowed",
    sample: { sdk: "each policies.list()" },
  },
  schema: {
    operationId: "listPolicies",
    summary: "List policies",
    description:
      "Returns the policies in the caller's mode, newest first. Deleted policies are not included. A key bound to agents gets only the policies of these agents and the starter policy.",
    querystring: CursorQuery,
    response: { 200: cursorPage(PolicyResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const scope = scopeOf(principalOf(request));
    const page = await listPolicies(app.db, scope, { after: decodeIdCursor(cursor, "pol"), limit });
    return presentPage(
      page,
      (policy) => presentPolicy(policy, scope.agentIds),
      ({ policyId }) => policyId,
    );
  },
});
