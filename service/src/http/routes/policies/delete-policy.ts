import { Type } from "typebox";
import { deletePolicy } from "../../../modules/policies/change-policy.ts";
import { actorOf, mayDecideApprovals, principalOf } from "../../auth/principal.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const deletePolicyRoute = endpoint("DELETE /api/v1/svc/policies/:policy_id", {
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
