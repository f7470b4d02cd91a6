import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { logOutAdmin } from "../../../modules/admins/log-in-admin.ts";
import { presentedToken } from "../../auth/bearer-token.ts";
import { ADMIN_COOKIE, clearCookie, readCookie } from "../../auth/cookies.ts";
import { isSameOrigin } from "../../auth/same-origin.ts";
import { endpoint } from "../../route.ts";
import { clientInfoOf } from "../developers/client-info.ts";

export const logOutAdminRoute = endpoint("POST /api/v1/svc/admin/logout", {
  config: { auth: "public", responseHeaders: ["Set-Cookie"] },
  schema: {
    operationId: "logOutAdmin",
    summary: "Log out as an admin",
    description:
      "Ends the session that the access token belongs to and clears the cookie. The response is the same for valid, expired and unknown tokens.",
    response: { 204: Type.Null() },
  },
  // Runs before validation, so that the cookie is cleared even if the request is invalid. Requests from other sites
  // must not clear the cookie.
  onRequest: async (app, request, reply) => {
    if (isSameOrigin(request, app.settings)) clearCookie(reply, app.settings, ADMIN_COOKIE);
  },
  handler: async (app, request, reply) => {
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
