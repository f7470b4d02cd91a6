import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { StrictObject } from "../../../../foundation/wire/named-object.ts";
import { logOut } from "../../../../modules/developers/sessions/end-session.ts";
import { clearSessionCookies, REFRESH_COOKIE, readCookie } from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { RefreshTokenIn } from "./refresh-session.ts";

export const logOutRoute = endpoint("POST /api/v1/svc/developers/logout", {
  operationId: "logOut",
  sdk: "developers.logOut",
  summary: "Log out",
  description:
    "Ends the session that the refresh token belongs to and clears the cookies. The response is the same for valid, used and unknown tokens.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: StrictObject("LogoutRequest", {
    refresh_token: Type.Optional(RefreshTokenIn),
    all_sessions: Type.Optional(
      Type.Boolean({
        description: "Whether to end all of the developer's sessions. Default: false.",
      }),
    ),
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
