import { Type } from "typebox";
import { StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { toWire } from "../../../../foundation/wire/to-wire.ts";
import {
  GitHubAuthorizationResource,
  IdentityListResource,
  IdentityLoginResultResource,
  presentIdentities,
} from "../../../../modules/developers/identities/identity-resources.ts";
import { unlinkIdentity } from "../../../../modules/developers/identities/link-identity.ts";
import { logInWithGoogle } from "../../../../modules/developers/identities/log-in-with-google.ts";
import { listIdentities } from "../../../../modules/developers/identities/queries.ts";
import { logInByRedirect, startProviderLogin } from "../../../../modules/developers/identities/redirect-login.ts";
import { browserSecretOf, ensureBrowserSecret } from "../../../auth/browser-secret.ts";
import { clientNetworkOf } from "../../../auth/client-network.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { endpoint, type Route } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { LoginProofRequest, loginProofOf } from "../fields.ts";
import { replyWithIdentityLogin } from "../sessions/sessions.ts";

const listIdentitiesRoute = endpoint("GET /api/v1/svc/developers/dashboard/identities", {
  operationId: "listIdentities",
  sdk: "developers.identities.list",
  summary: "List linked identities",
  description: "Returns the GitHub and Google accounts with which the developer can log in, ordered by provider.",
  auth: "dashboard",
  unverified: "allowed",
  answers: { 200: IdentityListResource },
  run: async (app, request) => {
    return presentIdentities(await listIdentities(app.db, principalOf(request).tenantId));
  },
});

const unlinkIdentityRoute = endpoint("DELETE /api/v1/svc/developers/dashboard/identities/:provider", {
  operationId: "unlinkIdentity",
  sdk: "developers.identities.unlink",
  summary: "Unlink an identity",
  description:
    "Unlinks a GitHub or Google account. The developer can no longer log in with it. Requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if it is the developer's only way to log in, and with `identity_not_found` if no account of this provider is linked.",
  auth: "dashboard",
  params: Type.Object({ provider: Text("`github` or `google`.") }),
  body: LoginProofRequest,
  answers: { 204: Type.Null() },
  errors: ["conflict", "reauthentication_required", "identity_not_found"],
  run: async (app, request, reply) => {
    await unlinkIdentity(app, {
      actor: actorOf(request),
      provider: request.params.provider,
      proof: loginProofOf(request, request.body),
    });
    return reply.code(204).send(null);
  },
});

const gitHubStateRoute = endpoint("POST /api/v1/svc/developers/oauth/github/state", {
  operationId: "beginGitHubLogin",
  sdk: "developers.identities.beginGitHubLogin",
  summary: "Start a GitHub login",
  description:
    "Returns a `state` and the GitHub URL to open in the browser, and sets a cookie. The `state` is valid once, for ten minutes, and only with the cookie: a program must send the cookie to `POST /developers/oauth/github`. Fails with `rate_limited` after 30 calls per minute from one network, and with `not_found` if GitHub login is not configured.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  answers: { 200: GitHubAuthorizationResource },
  errors: ["not_found", "rate_limited"],
  run: async (app, request, reply) => {
    const started = await startProviderLogin(app, {
      provider: "github",
      browserSecret: ensureBrowserSecret(request, reply, app.settings),
      network: clientNetworkOf(request.ip),
    });
    return toWire(GitHubAuthorizationResource, started);
  },
});

const GitHubOAuthRequest = StrictObject("GitHubOAuthRequest", {
  code: Text("The value of the `code` parameter in the URL to which GitHub redirected the browser.", {
    minLength: 1,
    maxLength: 4_096,
  }),
  state: Text(
    "The `state` from the response of `POST /developers/oauth/github/state`. Send it together with the cookie from the same response.",
    { minLength: 1, maxLength: 512 },
  ),
  redirect_uri: Type.Optional(
    Text(
      "GitHub's redirect URL, as configured on this server. Optional, because the server knows it. If sent, it must equal the configured URL.",
      { maxLength: 2_048 },
    ),
  ),
  code_verifier: Type.Optional(
    Text(
      "The PKCE code verifier. Optional, because the server derives it. If sent, it must equal the derived verifier.",
      { maxLength: 128 },
    ),
  ),
});

const logInWithGitHubRoute = endpoint("POST /api/v1/svc/developers/oauth/github", {
  operationId: "logInWithGitHub",
  sdk: "developers.identities.logInWithGitHub",
  summary: "Log in with GitHub",
  description:
    "Completes a GitHub login with the code from GitHub's redirect. The first login with a GitHub account requires an email address that GitHub has verified. If a Purser account has this address, the GitHub account is linked to it. If none has it, a Purser account is created. If ownership of the existing Purser account was never confirmed (see `POST /developers/password/reset`), its password, sessions, second factor and other linked identities are removed. If, in addition, its email address was not verified, its API keys are revoked. Fails with `invalid_state` if the `state` is unknown, used, expired or belongs to another browser; with `authentication_failed` if GitHub rejects the code or has not verified the email address; with `conflict` if the Purser account is already linked to another GitHub account; and with `provider_unavailable` if GitHub cannot be reached.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: GitHubOAuthRequest,
  answers: { 200: IdentityLoginResultResource },
  errors: ["authentication_failed", "not_found", "conflict", "invalid_state", "provider_unavailable"],
  run: async (app, request, reply) => {
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

const GoogleOAuthRequest = StrictObject("GoogleOAuthRequest", {
  id_token: Text("A Google ID token (JWT) issued for the client id that is configured on this server.", {
    maxLength: 15_000,
    pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$",
  }),
  nonce: Type.Optional(
    Text(
      "The nonce that was sent to Google with the login request. If set, it must equal the `nonce` claim of the ID token.",
      { minLength: 1, maxLength: 512 },
    ),
  ),
});

const logInWithGoogleRoute = endpoint("POST /api/v1/svc/developers/oauth/google", {
  operationId: "logInWithGoogle",
  sdk: "developers.identities.logInWithGoogle",
  summary: "Log in with Google",
  description:
    "Logs in with a Google ID token. Each token can be used once. The first login with a Google account requires an email address that Google has verified. If a Purser account has this address, the Google account is linked to it. If none has it, a Purser account is created. If ownership of the existing Purser account was never confirmed (see `POST /developers/password/reset`), its password, sessions, second factor and other linked identities are removed. If, in addition, its email address was not verified, its API keys are revoked. Fails with `authentication_failed` if the token is invalid or Google has not verified the email address, with `conflict` if the Purser account is already linked to another Google account, with `provider_unavailable` if Google's keys cannot be fetched, and with `not_found` if Google login is not configured.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: GoogleOAuthRequest,
  answers: { 200: IdentityLoginResultResource },
  errors: ["authentication_failed", "not_found", "conflict", "provider_unavailable"],
  run: async (app, request, reply) => {
    const { id_token, nonce } = request.body;
    const client = clientInfoOf(request);
    const login = await logInWithGoogle(app, { idToken: id_token, nonce, client });
    return replyWithIdentityLogin(app, reply, login);
  },
});

export const identityRoutes: readonly Route[] = [
  logInWithGitHubRoute,
  gitHubStateRoute,
  logInWithGoogleRoute,
  listIdentitiesRoute,
  unlinkIdentityRoute,
];
