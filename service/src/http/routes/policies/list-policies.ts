import { listPolicies, PolicyResource, presentPolicy } from "../../../modules/policies/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint, principalOf } from "../../route.ts";

const POLICY_ID_FORM = /^pol_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const listPoliciesRoute = endpoint({
  method: "GET",
  url: "/api/v1/svc/policies",
  config: {
    auth: "tenant",
    scope: "policies:read",
    agentBound: "allowed",
    projectBound: "refused",
    sample: { sdk: "each policies.list()" },
  },
  schema: {
    operationId: "listPolicies",
    tags: ["Policies"],
    summary: "List policies",
    description:
      "Returns the policies in the caller's mode, newest first. Deleted policies are not included. A key bound to agents gets only the policies of these agents and the starter policy.",
    querystring: CursorQuery,
    response: { 200: cursorPage(PolicyResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const scope = scopeOf(principalOf(request));
    const page = await listPolicies(app.db, scope, { after: decodeCursor(cursor, POLICY_ID_FORM), limit });
    return presentPage(
      page,
      (policy) => presentPolicy(policy, scope.agentIds),
      ({ policyId }) => policyId,
    );
  },
});
