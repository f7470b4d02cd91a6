import { Type } from "typebox";
import { endSession } from "../../../../modules/developers/sessions/end-session.ts";
import { actorOf } from "../../../auth/principal.ts";
import { endpoint, principalOf } from "../../../route.ts";

export const endSessionRoute = endpoint("DELETE /api/v1/svc/developers/dashboard/sessions/:session_id", {
  config: { auth: "dashboard" },
  schema: {
    operationId: "endSession",
    summary: "End a session",
    description:
      "Ends a session. Its tokens stop working immediately. The calling session can end itself. Fails with `session_not_found` if the session has already ended.",
    response: { 204: Type.Null() },
  },
  handler: async (app, request, reply) => {
    const actor = actorOf(request, principalOf(request));
    await endSession(app, { actor, sessionId: request.params.session_id });
    return reply.code(204).send(null);
  },
});
