import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { endSession } from "../../../../modules/developers/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { principalOf, type Server } from "../../../route.ts";

export function endSessionRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/developers/dashboard/sessions/:session_id",
    config: { auth: "dashboard" },
    schema: {
      operationId: "endSession",
      tags: ["Sessions"],
      summary: "End a session",
      description:
        "Ends a session. Its tokens are rejected from the next request on. The calling session can end itself. Fails with `session_not_found` if the session has already ended.",
      params: Type.Object({ session_id: Type.String() }),
      response: { 204: Type.Null(), 404: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const actor = actorOf(request, principalOf(request));
      await endSession(app, { actor, sessionId: request.params.session_id });
      return reply.code(204).send(null);
    },
  });
}
