import { Type } from "typebox";
import { normalizeEmail } from "../../../../foundation/text/email-address.ts";
import { StrictObject } from "../../../../foundation/wire/named-object.ts";
import { logIn } from "../../../../modules/developers/sessions/log-in.ts";
import { LoginResultResource } from "../../../../modules/developers/sessions/session-resource.ts";
import { readCookie, VERIFICATION_COOKIE } from "../../../auth/cookies.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { EmailIn, PasswordIn, TotpCodeIn } from "../fields.ts";
import { replyWithLogin } from "./session-reply.ts";

const DeveloperLoginRequest = StrictObject("DeveloperLoginRequest", {
  email: EmailIn,
  password: PasswordIn,
  captcha_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8_192,
      description:
        "The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned. Required after five failed logins for this email address from one network within 15 minutes.",
    }),
  ),
  totp_code: Type.Optional({
    ...TotpCodeIn,
    description: "The six-digit code from the authenticator app. Ignored for accounts without a second factor.",
  }),
  verify_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        "The token from the verification email, to verify the address and log in with one call. Fails with `invalid_token` if the token is invalid, or belongs to a signup with a different password, unless the address is verified already.",
    }),
  ),
});

export const logInRoute = endpoint("POST /api/v1/svc/developers/login", {
  operationId: "logIn",
  sdk: "developers.logIn",
  summary: "Log in with a password",
  description:
    "Logs in with an email address and a password. Returns the tokens in the body and sets them as HttpOnly cookies for browsers. For an account with a second factor, send `totp_code`. If such a login has no `totp_code`, the response is `mfa_required` with an `mfa_token` for `POST /developers/login/totp`. Fails with `authentication_failed` for a wrong email address, password or code.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: DeveloperLoginRequest,
  answers: { 200: LoginResultResource },
  errors: ["authentication_failed"],
  run: async (app, request, reply) => {
    const { email, password, captcha_token, totp_code, verify_token } = request.body;
    const result = await logIn(app, {
      email: normalizeEmail(email),
      password,
      captchaToken: captcha_token,
      code: totp_code,
      verificationToken: readCookie(request, app.settings, VERIFICATION_COOKIE),
      verifyToken: verify_token,
      client: clientInfoOf(request),
    });
    return replyWithLogin(app, reply, result);
  },
});
