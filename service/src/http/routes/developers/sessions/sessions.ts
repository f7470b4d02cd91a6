import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { DASHBOARD_TOKENS } from "../../../../crypto/access-tokens.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { normalizeEmail } from "../../../../foundation/text.ts";
import { Flag, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { toWire } from "../../../../foundation/wire/to-wire.ts";
import type { IdentityLoginResultResource } from "../../../../modules/developers/identities/identity-resources.ts";
import type { IdentityLogin } from "../../../../modules/developers/identities/log-in-as-identity.ts";
import { logIn } from "../../../../modules/developers/sessions/log-in.ts";
import {
  LoginResultResource,
  MfaRequiredResource,
  presentSession,
  SessionResource,
} from "../../../../modules/developers/sessions/session-resource.ts";
import { logOut, refreshSession } from "../../../../modules/developers/sessions/sessions.ts";
import type { MfaPending, SessionGrant } from "../../../../modules/developers/sessions/start-session.ts";
import {
  ACCESS_COOKIE,
  clearSessionCookies,
  REFRESH_COOKIE,
  readCookie,
  setCookie,
  VERIFICATION_COOKIE,
} from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import { endpoint, type Route } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { EmailIn, PasswordIn, TotpCodeIn } from "../fields.ts";

export function setSessionTokens(
  { clock, settings }: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { accessToken, refreshToken, expiresAt }: SessionGrant,
) {
  const accessSeconds = DASHBOARD_TOKENS.lifetimeSeconds;
  const refreshSeconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
  setCookie(reply, settings, ACCESS_COOKIE, { value: accessToken, seconds: accessSeconds });
  setCookie(reply, settings, REFRESH_COOKIE, { value: refreshToken, seconds: refreshSeconds });
  return { accessToken, accessSeconds, refreshToken, refreshSeconds };
}

export function replyWithSession(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  grant: SessionGrant,
): Static<typeof SessionResource> {
  return presentSession(app, grant, setSessionTokens(app, reply, grant));
}

/** Returns the response body of a login. Sets the session cookies unless the login still needs its second factor. */
function replyWithLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  result: SessionGrant | MfaPending,
): Static<typeof LoginResultResource> {
  return "mfaToken" in result
    ? toWire(MfaRequiredResource, result, { mfa_required: true })
    : replyWithSession(app, reply, result);
}

export function replyWithIdentityLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { begun, created, linked }: IdentityLogin,
): Static<typeof IdentityLoginResultResource> {
  return { ...replyWithLogin(app, reply, begun), created, linked };
}

const DeveloperLoginRequest = StrictObject("DeveloperLoginRequest", {
  email: EmailIn,
  password: PasswordIn,
  captcha_token: Type.Optional(
    Text(
      "The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned. Required after five failed logins for this email address from one network within 15 minutes.",
      { minLength: 1, maxLength: 8_192 },
    ),
  ),
  totp_code: Type.Optional({
    ...TotpCodeIn,
    description: "The six-digit code from the authenticator app. Ignored for accounts without a second factor.",
  }),
  verify_token: Type.Optional(
    Text(
      "The token from the verification email, to verify the address and log in with one call. Fails with `invalid_token` if the token is invalid, or belongs to a signup with a different password, unless the address is verified already.",
      { minLength: 1, maxLength: 512 },
    ),
  ),
});

const logInRoute = endpoint("POST /api/v1/svc/developers/login", {
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

const RefreshTokenIn = Text("The refresh token. Default: the token in the cookie.", { minLength: 1, maxLength: 512 });

const refreshSessionRoute = endpoint("POST /api/v1/svc/developers/token/refresh", {
  operationId: "refreshSession",
  sdk: "developers.refresh",
  summary: "Refresh a session",
  description:
    "Returns a new access token and a new refresh token. Each refresh token can be used once. If the same token is used again within 20 seconds and the new tokens were not used, the call returns other new tokens and revokes the first ones; otherwise it fails. A use more than 20 seconds after the first also ends the session. Fails with `authentication_failed` for any invalid token, and with `cross_origin` if another site sent the cookie.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: Type.Object(
    { refresh_token: Type.Optional(RefreshTokenIn) },
    { $id: "RefreshSessionRequest", additionalProperties: false },
  ),
  answers: { 200: SessionResource },
  errors: ["authentication_failed", "cross_origin"],
  run: async (app, request, reply) => {
    const fromBody = request.body.refresh_token;
    const refreshToken = fromBody ?? readCookie(request, app.settings, REFRESH_COOKIE);
    if (refreshToken === undefined) {
      throw new AppError("authentication_failed", { internal: "missing refresh token" });
    }
    if (fromBody === undefined && !isSameOrigin(request, app.settings)) {
      throw new AppError("cross_origin");
    }
    const grant = await refreshSession(app, { refreshToken, client: clientInfoOf(request) });
    return replyWithSession(app, reply, grant);
  },
});

const logOutRoute = endpoint("POST /api/v1/svc/developers/logout", {
  operationId: "logOut",
  sdk: "developers.logOut",
  summary: "Log out",
  description:
    "Ends the session that the refresh token belongs to and clears the cookies. The response is the same for valid, used and unknown tokens.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: StrictObject("LogoutRequest", {
    refresh_token: Type.Optional(RefreshTokenIn),
    all_sessions: Type.Optional(Flag("Whether to end all of the developer's sessions. Default: false.")),
  }),
  answers: { 204: Type.Null() },
  // Runs before validation, so that the cookies are cleared even if the request is invalid. Requests from other sites
  // must not clear the cookies.
  onRequest: async (app, request, reply) => {
    if (isSameOrigin(request, app.settings)) clearSessionCookies(reply, app.settings);
  },
  run: async (app, request, reply) => {
    const { refresh_token, all_sessions = false } = request.body;
    const refreshToken = refresh_token ?? sameOriginRefreshCookie(app, request);
    if (refreshToken !== undefined) {
      const client = clientInfoOf(request);
      await logOut(app, { refreshToken, allSessions: all_sessions, client });
    }
    return reply.code(204).send(null);
  },
});

/** Returns the refresh cookie of a same-origin request. Other sites must not be able to end sessions with it. */
function sameOriginRefreshCookie({ settings }: App, request: FastifyRequest): string | undefined {
  return isSameOrigin(request, settings) ? readCookie(request, settings, REFRESH_COOKIE) : undefined;
}

export const sessionRoutes: readonly Route[] = [logInRoute, logOutRoute, refreshSessionRoute];
