import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { unlinkIdentity } from "../../../../modules/developers/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { principalOf, type Server } from "../../../route.ts";
import { LoginProofRequest, loginProofOf } from "../login-proof.ts";

export function unlinkIdentityRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/developers/dashboard/identities/:provider",
    config: { auth: "dashboard" },
    schema: {
      operationId: "unlinkIdentity",
      tags: ["Developers"],
      summary: "Unlink the GitHub or Google account: it no longer logs in",
      description:
        "Needs a login of the last 15 minutes, or `password` or `totp_code`. The last way to log in cannot be removed: 409.",
      params: Type.Object({ provider: Type.String() }),
      body: LoginProofRequest,
      response: { 204: Type.Null(), 404: Problem, 409: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      await unlinkIdentity(app, {
        actor: actorOf(request, principalOf(request)),
        provider: request.params.provider,
        proof: loginProofOf(request, request.body),
      });
      return reply.code(204).send(null);
    },
  });
}
