import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Problem, publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  IdentityLoginResultResource,
  logInWithGoogle,
} from "../../../../modules/developers/index.ts";
import type { Server } from "../../../route.ts";
import { answerIdentityLogin } from "../sessions/session-reply.ts";
import { clientInfoOf } from "../visitor.ts";

const GoogleOAuthRequest = Type.Object(
  {
    id_token: Type.String({
      maxLength: 15_000,
      pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$",
      description: "Google's ID token for this service's client id, a JWT.",
    }),
    nonce: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: "Where given, the token must hold it.",
      }),
    ),
  },
  { $id: "GoogleOAuthRequest", additionalProperties: false },
);

export function logInWithGoogleRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/oauth/google",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "logInWithGoogle",
      tags: ["Developers"],
      summary: "Log in with an ID token that the client got from Google by itself",
      description:
        "A token is good once. Makes an account for an address that has none, and links Google to the account that has it: only where Google has verified the address. 404 where the operator has no app at Google.",
      body: GoogleOAuthRequest,
      response: {
        200: IdentityLoginResultResource,
        401: Problem,
        404: Problem,
        409: Problem,
        ...publicErrors,
      },
    },
    handler: async (request, reply) => {
      const { id_token, nonce } = request.body;
      const client = clientInfoOf(request);
      const login = await logInWithGoogle(app, { idToken: id_token, nonce, client });
      return answerIdentityLogin(app, reply, login);
    },
  });
}
