import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Problem, publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  IdentityLoginResultResource,
  logInWithGoogle,
} from "../../../../modules/developers/index.ts";
import type { Server } from "../../../route.ts";
import { replyWithIdentityLogin } from "../sessions/session-reply.ts";
import { clientInfoOf } from "../visitor.ts";

const GoogleOAuthRequest = Type.Object(
  {
    id_token: Type.String({
      maxLength: 15_000,
      pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$",
      description: "A Google ID token (JWT) for the installation's client id.",
    }),
    nonce: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: "If sent, the token must contain it.",
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
      tags: ["Identities"],
      summary: "Log in with Google",
      description:
        "Logs in with an ID token that the client has obtained from Google. A token is valid once. If Google has verified the email address, creates an account for a new address, or links Google to the account with that address; withdraws earlier access if that account is not proven. `authentication_failed` for an invalid token; `conflict` if the account is linked to another Google account; `provider_unavailable` if Google's keys cannot be fetched; `not_found` if the installation has no app at Google.",
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
      return replyWithIdentityLogin(app, reply, login);
    },
  });
}
