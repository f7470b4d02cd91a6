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
      description: "The `code` parameter of GitHub's redirect.",
    }),
    state: Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        "The `state` from the response of `POST /developers/oauth/github/state`. Send it together with the cookie from the same response.",
    }),
    redirect_uri: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description:
          "GitHub's redirect URL, as configured on this server. Optional, because the server knows it. If sent, it must equal the configured URL.",
      }),
    ),
    code_verifier: Type.Optional(
      Type.String({
        maxLength: 128,
        description:
          "The PKCE code verifier. Optional, because the server derives it. If sent, it must equal the derived verifier.",
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
        "Completes a GitHub login with the code from GitHub's redirect. If GitHub has verified the email address, creates an account for a new address, or links GitHub to the existing account. If ownership of the existing account was never confirmed (see `POST /developers/password/reset`), its password, sessions, second factor and other identities are removed. Its API keys are revoked if the email address was not verified. Fails with `invalid_state` if the state is unknown, used, expired or belongs to another browser; with `authentication_failed` if GitHub rejects the code; with `conflict` if the account is linked to another GitHub account; and with `provider_unavailable` if GitHub cannot be reached.",
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
