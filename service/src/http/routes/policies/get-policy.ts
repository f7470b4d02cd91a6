import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { getPolicy, PolicyResource, presentPolicy } from "../../../modules/policies/index.ts";
import type { Server } from "../../route.ts";
import { policyKeyOf } from "./policy-key.ts";

export function getPolicyRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/policies/:policy_id",
    config: {
      auth: "tenant",
      scope: "policies:read",
      agentBound: "allowed",
      projectBound: "refused",
      sample: { sdk: "policies.get(POLICY_ID)" },
    },
    schema: {
      operationId: "getPolicy",
      tags: ["Policies"],
      summary: "Get a policy",
      description:
        "Returns a policy. A key bound to agents gets only the policies of these agents and the starter policy.",
      params: Type.Object({ policy_id: Type.String() }),
      response: { 200: PolicyResource, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const key = policyKeyOf(request, request.params.policy_id);
      return presentPolicy(await getPolicy(app.db, key), key.agentIds);
    },
  });
}
