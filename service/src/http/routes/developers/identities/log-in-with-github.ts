import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Problem, publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  IdentityLoginResultResource,
  logInByRedirect,
} from "../../../../modules/developers/index.ts";
import { browserSecretOf } from "../../../auth/browser-secret.ts";
import type { Server } from "../../../route.ts";
import { answerIdentityLogin } from "../sessions/session-reply.ts";
import { clientInfoOf } from "../visitor.ts";

const GitHubOAuthRequest = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 4_096 }),
    state: Type.String({
      minLength: 1,
      maxLength: 512,
      description: "As /developers/oauth/github/state gave it. The call needs its cookie too.",
    }),
    redirect_uri: Type.Optional(
      Type.String({ maxLength: 2_048, description: "Where given, the one address that is ours." }),
    ),
    code_verifier: Type.Optional(
      Type.String({
        maxLength: 128,
        description: "The service keeps the verifier: where one is given, it must be that.",
      }),
    ),
  },
  { $id: "GitHubOAuthRequest", additionalProperties: false },
);

export function logInWithGitHubRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/oauth/github",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "logInWithGitHub",
      tags: ["Developers"],
      summary: "Log in with the code that GitHub has sent the browser back with",
      description:
        "Makes an account for an address that has none, and links GitHub to the account that has it: only where GitHub has verified the address. 422 `invalid_state` for a state that is unknown, used, expired or of another browser; 401 for a code that GitHub refuses.",
      body: GitHubOAuthRequest,
      response: {
        200: IdentityLoginResultResource,
        401: Problem,
        404: Problem,
        409: Problem,
        ...publicErrors,
      },
    },
    handler: async (request, reply) => {
      const { code, state, redirect_uri, code_verifier } = request.body;
      const login = await logInByRedirect(app, {
        provider: "github",
        code,
        state,
        browserSecret: browserSecretOf(request, app.settings),
        redirectUri: redirect_uri,
        codeVerifier: code_verifier,
        client: clientInfoOf(request),
      });
      return answerIdentityLogin(app, reply, login);
    },
  });
}
