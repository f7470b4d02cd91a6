import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Problem, publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  IdentityLoginResultResource,
  logInByRedirect,
} from "../../../../modules/developers/index.ts";
import { browserSecretOf } from "../../../auth/browser-secret.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { replyWithIdentityLogin } from "../sessions/session-reply.ts";

const GitHubOAuthRequest = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: "The `code` of GitHub's redirect.",
    }),
    state: Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        "The state of `POST /developers/oauth/github/state`. The call needs its cookie too.",
    }),
    redirect_uri: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description: "If sent, must be the installation's own redirect URL.",
      }),
    ),
    code_verifier: Type.Optional(
      Type.String({
        maxLength: 128,
        description: "The server derives the PKCE verifier. If sent, it must be the same.",
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
      tags: ["Identities"],
      summary: "Log in with GitHub",
      description:
        "Completes a login with the code of GitHub's redirect. If GitHub has verified the email address, creates an account for a new address, or links GitHub to the existing account. If no one has confirmed ownership of that account, earlier access to it is revoked. `invalid_state` for a state that is unknown, used, expired or of another browser; `authentication_failed` for a code that GitHub refuses; `conflict` if the account is linked to another GitHub account; `provider_unavailable` if GitHub cannot be reached.",
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
      return replyWithIdentityLogin(app, reply, login);
    },
  });
}
