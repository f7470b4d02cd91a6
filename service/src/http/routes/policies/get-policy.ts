import { PolicyResource, presentPolicy } from "../../../modules/policies/policy-resource.ts";
import { getPolicy } from "../../../modules/policies/queries.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

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
