import { Type } from "typebox";
import { normalizeEmail } from "../../../../foundation/text.ts";
import { Flag, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import {
  PasswordResetResource,
  RequestedPasswordResetResource,
  requestPasswordReset,
  resetPassword,
} from "../../../../modules/developers/password-reset/password-reset.ts";
import { clearSessionCookies } from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import { endpoint, type Route } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { EmailIn, IgnoredCaptchaToken, PasswordIn, passwordProblem, throwIfInvalid } from "../fields.ts";

const PasswordForgotRequest = StrictObject("PasswordForgotRequest", {
  email: EmailIn,
  captcha_token: IgnoredCaptchaToken,
});

const requestPasswordResetRoute = endpoint("POST /api/v1/svc/developers/password/forgot", {
  operationId: "requestPasswordReset",
  sdk: "developers.forgotPassword",
  summary: "Request a password reset",
  description:
    "Sends an email with a URL to choose a new password, if the email address has an account. The response is the same for every address. At most three emails per hour are sent to one address. Fails with `rate_limited` after five calls per minute from one network.",
  auth: "public",
  body: PasswordForgotRequest,
  answers: { 200: RequestedPasswordResetResource },
  errors: ["rate_limited"],
  run: async (app, request) => {
    const email = normalizeEmail(request.body.email);
    await requestPasswordReset(app, { email, client: clientInfoOf(request) });
    return { status: "accepted" as const };
  },
});

const PasswordResetRequest = StrictObject("PasswordResetRequest", {
  token: Text("The token from the password reset email. Valid once, for one hour.", { minLength: 1, maxLength: 512 }),
  password: PasswordIn,
  keep_keys: Type.Optional(
    Flag(
      "Whether to keep the API keys of an account whose ownership was never confirmed (see `POST /developers/password/reset`). Default: false, which revokes the keys.",
    ),
  ),
  revoke_keys: Type.Optional(
    Flag(
      "Whether to revoke the API keys of an account whose ownership was confirmed before this call. Default: false, which keeps the keys.",
    ),
  ),
});

const resetPasswordRoute = endpoint("POST /api/v1/svc/developers/password/reset", {
  operationId: "resetPassword",
  sdk: "developers.resetPassword",
  summary: "Reset the password",
  description:
    "Sets a new password with the token from the password reset email, ends all sessions and clears the cookies of the browser's session. Ownership of an account is confirmed once the same person has controlled both the mailbox and the login: by a password reset, by a login with an identity provider that has verified the email address, or by a password login from the browser that opened the verification URL. An account with confirmed ownership keeps its API keys (unless `revoke_keys` is true) and its second factor. For any other account, everything set up earlier is removed: API keys (unless `keep_keys` is true), second factor, linked identities, pending device logins and profile. The reset confirms ownership and verifies the email address. Fails with `invalid_token` for an invalid token, and with `validation_error` if both `keep_keys` and `revoke_keys` are true.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: PasswordResetRequest,
  answers: { 200: PasswordResetResource },
  errors: ["invalid_token", "validation_error"],
  run: async (app, request, reply) => {
    const { token, password, keep_keys = false, revoke_keys = false } = request.body;
    throwIfInvalid(
      passwordProblem(password),
      keep_keys && revoke_keys
        ? {
            pointer: "/body/revoke_keys",
            code: "conflicting",
            detail: "cannot be combined with keep_keys",
          }
        : undefined,
    );
    await resetPassword(app, {
      token: token.trim(),
      password,
      keepKeys: keep_keys,
      revokeKeys: revoke_keys,
      client: clientInfoOf(request),
    });
    // Requests from other sites must not clear the cookies.
    if (isSameOrigin(request, app.settings)) clearSessionCookies(reply, app.settings);
    return { status: "password_reset" as const };
  },
});

export const passwordResetRoutes: readonly Route[] = [requestPasswordResetRoute, resetPasswordRoute];
