import { Type } from "typebox";
import { StrictObject } from "../../../../foundation/wire/named-object.ts";
import { IdentityLoginResultResource } from "../../../../modules/developers/identities/identity-resources.ts";
import { logInWithGoogle } from "../../../../modules/developers/identities/log-in-with-google.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { replyWithIdentityLogin } from "../sessions/session-reply.ts";

const GoogleOAuthRequest = StrictObject("GoogleOAuthRequest", {
  id_token: Type.String({
    maxLength: 15_000,
    pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$",
    description: "A Google ID token (JWT) issued for the client id that is configured on this server.",
  }),
  nonce: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        "The nonce that was sent to Google with the login request. If set, it must equal the `nonce` claim of the ID token.",
    }),
  ),
});

export const logInWithGoogleRoute = endpoint("POST /api/v1/svc/developers/oauth/google", {
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
