import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { publicErrors } from "../../../foundation/wire/problem.ts";
import { logOutAdmin } from "../../../modules/admins/index.ts";
import { presentedToken } from "../../auth/bearer-token.ts";
import { adminCookieOf, clearAdminCookie } from "../../auth/cookies.ts";
import { isSameOrigin } from "../../auth/same-origin.ts";
import type { Server } from "../../route.ts";
import { clientInfoOf } from "../developers/visitor.ts";

export function logOutAdminRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/admin/logout",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "logOutAdmin",
      tags: ["Admin"],
      summary: "End the session of an admin's token, and clear the cookie",
      description: "The answer is the same whether the token was good, old or unknown.",
      response: { 204: Type.Null(), ...publicErrors },
    },
    // Before anything can be wrong with the request, so that a browser is rid of its cookie whatever the answer. Another
    // site may not rid it of that.
    onRequest: async (request, reply) => {
      if (isSameOrigin(request, app.settings)) clearAdminCookie(reply, app.settings);
    },
    handler: async (request, reply) => {
      const token = tokenToEnd(app, request);
      if (token !== undefined) await logOutAdmin(app, { token, client: clientInfoOf(request) });
      return reply.code(204).send(null);
    },
  });
}

/** Another site may not end a session with the cookie. */
function tokenToEnd({ settings }: App, request: FastifyRequest): string | undefined {
  const presented = presentedToken(request, adminCookieOf(request, settings));
  if (presented?.byCookie && !isSameOrigin(request, settings)) return undefined;
  return presented?.token;
}
