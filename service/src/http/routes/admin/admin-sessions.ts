import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { ADMIN_TOKENS } from "../../../crypto/access-tokens.ts";
import { normalizeEmail } from "../../../foundation/text/email-address.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import {
  AdminLoginChallengeResource,
  AdminSessionResource,
  finishAdminLogin,
  logInAdmin,
  logOutAdmin,
  presentAdminLoginChallenge,
  presentAdminSession,
} from "../../../modules/admins/log-in-admin.ts";
import { presentedToken } from "../../auth/bearer-token.ts";
import { ADMIN_COOKIE, clearCookie, readCookie, setCookie } from "../../auth/cookies.ts";
import { isSameOrigin } from "../../auth/same-origin.ts";
import { endpoint } from "../../route.ts";
import { clientInfoOf } from "../developers/client-info.ts";
import { EmailIn, PasswordIn } from "../developers/fields.ts";

const AdminLoginRequest = Type.Object(
  { email: EmailIn, password: PasswordIn },
  { $id: "AdminLoginRequest", additionalProperties: false },
);

export const logInAdminRoute = endpoint("POST /api/v1/svc/admin/login", {
  operationId: "logInAdmin",
  sdk: "admin.logIn",
  summary: "Start an admin login",
  description:
    "The first step of an admin login. Returns a token for `POST /admin/login/totp`, which expires after five minutes or five attempts. Fails with `rate_limited` after five unfinished logins within 15 minutes for one email address from one network.",
  auth: "public",
  body: AdminLoginRequest,
  answers: { 200: AdminLoginChallengeResource },
  errors: ["authentication_failed", "rate_limited"],
  run: async (app, request) => {
    const { email, password } = request.body;
    const client = clientInfoOf(request);
    const challenge = await logInAdmin(app, { email: normalizeEmail(email), password, client });
    return presentAdminLoginChallenge(challenge);
  },
});

const AdminTotpRequest = StrictObject("AdminTotpRequest", {
  mfa_token: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "The `mfa_token` returned by `POST /admin/login`.",
  }),
  code: Type.String({ pattern: "^[0-9]{6}$", description: "The TOTP code: six digits." }),
});

export const finishAdminLoginRoute = endpoint("POST /api/v1/svc/admin/login/totp", {
  operationId: "finishAdminLogin",
  sdk: "admin.finishLogin",
  summary: "Complete an admin login",
  description:
    "The second step of an admin login. Returns an access token in the body and, for browsers, in an HttpOnly cookie. The token is valid for ten minutes and cannot be refreshed. Each code is valid once. Fails with `rate_limited` after 20 wrong codes within one hour.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: AdminTotpRequest,
  answers: { 200: AdminSessionResource },
  errors: ["authentication_failed", "rate_limited"],
  run: async (app, request, reply) => {
    const { mfa_token: mfaToken, code } = request.body;
    const client = clientInfoOf(request);
    const { accessToken } = await finishAdminLogin(app, { mfaToken, code, client });
    setCookie(reply, app.settings, ADMIN_COOKIE, { value: accessToken, seconds: ADMIN_TOKENS.lifetimeSeconds });
    return presentAdminSession({ accessToken });
  },
});

export const logOutAdminRoute = endpoint("POST /api/v1/svc/admin/logout", {
  operationId: "logOutAdmin",
  sdk: "admin.logOut",
  summary: "Log out as an admin",
  description:
    "Ends the session that the access token belongs to and clears the cookie. The response is the same for valid, expired and unknown tokens.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  answers: { 204: Type.Null() },
  // Runs before validation, so that the cookie is cleared even if the request is invalid. Requests from other sites
  // must not clear the cookie.
  onRequest: async (app, request, reply) => {
    if (isSameOrigin(request, app.settings)) clearCookie(reply, app.settings, ADMIN_COOKIE);
  },
  run: async (app, request, reply) => {
    const token = tokenToEnd(app, request);
    if (token !== undefined) await logOutAdmin(app, { token, client: clientInfoOf(request) });
    return reply.code(204).send(null);
  },
});

/**
 * Returns the token of the session to end. Ignores the cookie of a cross-site request, so that another site cannot end
 * the session.
 */
function tokenToEnd({ settings }: App, request: FastifyRequest): string | undefined {
  const presented = presentedToken(request, readCookie(request, settings, ADMIN_COOKIE));
  if (presented?.byCookie && !isSameOrigin(request, settings)) return undefined;
  return presented?.token;
}
