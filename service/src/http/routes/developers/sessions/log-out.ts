import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { publicErrors } from "../../../../foundation/wire/problem.ts";
import { logOut } from "../../../../modules/developers/index.ts";
import { clearSessionCookies, refreshCookieOf } from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../visitor.ts";
import { RefreshTokenIn } from "./refresh-session.ts";

export function logOutRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/logout",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "logOut",
      tags: ["Developers"],
      summary: "End the session of a refresh token, and clear the cookies",
      description: "The answer is the same whether the token was good, old or unknown.",
      body: Type.Object(
        {
          refresh_token: Type.Optional(RefreshTokenIn),
          all_sessions: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
      response: { 204: Type.Null(), ...publicErrors },
    },
    // Before anything can be wrong with the request, so that a browser is rid of its cookies whatever the answer. Another
    // site may not rid it of them.
    onRequest: async (request, reply) => {
      if (isSameOrigin(request, app.settings)) clearSessionCookies(reply, app.settings);
    },
    handler: async (request, reply) => {
      const { refresh_token, all_sessions = false } = request.body;
      const refreshToken = refresh_token ?? cookieOfOurPages(app, request);
      if (refreshToken !== undefined) {
        const client = clientInfoOf(request);
        await logOut(app, { refreshToken, allSessions: all_sessions, client });
      }
      return reply.code(204).send(null);
    },
  });
}

/** The cookie of a request that our own pages made. Another site may not end sessions with it. */
function cookieOfOurPages({ settings }: App, request: FastifyRequest): string | undefined {
  return isSameOrigin(request, settings) ? refreshCookieOf(request, settings) : undefined;
}
