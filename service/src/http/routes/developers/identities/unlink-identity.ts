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
      tags: ["Identities"],
      summary: "Unlink an identity",
      description:
        "Unlinks a GitHub or Google account. The developer can no longer log in with it. Requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if it is the developer's only way to log in, and with `identity_not_found` if no account of this provider is linked.",
      params: Type.Object({ provider: Type.String({ description: "`github` or `google`." }) }),
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
