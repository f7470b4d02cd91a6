import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Problem, publicErrors } from "../../../../foundation/wire/problem.ts";
import { logInWithSecondFactor, SessionResource } from "../../../../modules/developers/index.ts";
import { verificationCookieOf } from "../../../auth/cookies.ts";
import type { Server } from "../../../route.ts";
import { SecondFactorCodeIn } from "../fields.ts";
import { answerSession } from "../sessions/session-reply.ts";
import { clientInfoOf } from "../visitor.ts";

const SecondFactorLoginRequest = Type.Object(
  { mfa_token: Type.String({ minLength: 1, maxLength: 512 }), code: SecondFactorCodeIn },
  { $id: "SecondFactorLoginRequest", additionalProperties: false },
);

export function logInWithSecondFactorRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/login/totp",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "logInWithSecondFactor",
      tags: ["Developers"],
      summary: "Finish a login that waits for its second factor",
      description:
        "The token is good for five minutes and five attempts, a code once. An account takes 20 codes by time an hour; recovery codes are not counted.",
      body: SecondFactorLoginRequest,
      response: { 200: SessionResource, 401: Problem, ...publicErrors },
    },
    handler: async (request, reply) => {
      const { mfa_token, code } = request.body;
      const client = clientInfoOf(request);
      const grant = await logInWithSecondFactor(app, {
        mfaToken: mfa_token,
        code,
        verificationToken: verificationCookieOf(request, app.settings),
        client,
      });
      return answerSession(app, reply, grant);
    },
  });
}
