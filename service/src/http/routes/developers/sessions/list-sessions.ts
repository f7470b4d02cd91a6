import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Nullable, Timestamp } from "../../../../foundation/wire/common.ts";
import { credentialErrors } from "../../../../foundation/wire/problem.ts";
import { listSessions } from "../../../../modules/developers/index.ts";
import {
  CursorQuery,
  cursorPage,
  LIMIT_DEFAULT,
  nameInCursor,
  presentPage,
} from "../../../cursor.ts";
import { principalOf, type Server } from "../../../route.ts";

const SESSION_ID_FORM = /^ses_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const DashboardSessionOut = Type.Object(
  {
    object: Type.Literal("session"),
    session_id: Type.String(),
    current: Type.Boolean({ description: "Whether this call was made with it." }),
    created_at: Timestamp,
    last_used_at: Timestamp,
    ip: Nullable(Type.String({ description: "Of an IPv6 address its network." })),
    user_agent: Nullable(Type.String()),
  },
  { $id: "DashboardSession" },
);

export function listSessionsRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/dashboard/sessions",
    config: { auth: "dashboard", unverified: "allowed" },
    schema: {
      operationId: "listSessions",
      tags: ["Developers"],
      summary: "The sessions in which the developer is logged in, newest first",
      description: "`last_used_at` is when its tokens were last exchanged.",
      querystring: CursorQuery,
      response: { 200: cursorPage(DashboardSessionOut), ...credentialErrors },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const page = await listSessions(app, {
        tenantId: principal.tenantId,
        afterSessionId: nameInCursor(cursor, SESSION_ID_FORM),
        limit,
      });
      return presentPage(
        page,
        (session) => ({
          object: "session" as const,
          session_id: session.sessionId,
          current: principal.kind === "session" && principal.sessionId === session.sessionId,
          created_at: session.createdAt.toISOString(),
          last_used_at: session.lastUsedAt.toISOString(),
          ip: session.network,
          user_agent: session.userAgent,
        }),
        ({ sessionId }) => sessionId,
      );
    },
  });
}
