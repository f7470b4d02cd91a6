import { Type } from "typebox";
import { listSessions } from "../../../../modules/developers/sessions/queries.ts";
import {
  DashboardSessionResource,
  presentDashboardSession,
} from "../../../../modules/developers/sessions/session-resource.ts";
import { endSession } from "../../../../modules/developers/sessions/sessions.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { endpoint, type Route } from "../../../route.ts";

const listSessionsRoute = endpoint("GET /api/v1/svc/developers/dashboard/sessions", {
  operationId: "listSessions",
  sdk: "developers.sessions.list",
  summary: "List sessions",
  description: "Returns the developer's valid dashboard sessions, newest first.",
  auth: "dashboard",
  unverified: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(DashboardSessionResource) },
  run: async (app, request) => {
    const principal = principalOf(request);
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const page = await listSessions(app.db, {
      tenantId: principal.tenantId,
      at: app.clock.now(),
      after: decodeIdCursor(cursor, "ses"),
      limit,
    });
    const currentSessionId = principal.kind === "session" ? principal.sessionId : undefined;
    return presentPage(page, (session) => presentDashboardSession(session, currentSessionId), "sessionId");
  },
});

const endSessionRoute = endpoint("DELETE /api/v1/svc/developers/dashboard/sessions/:session_id", {
  operationId: "endSession",
  sdk: "developers.sessions.end",
  summary: "End a session",
  description:
    "Ends a session. Its tokens stop working immediately. The calling session can end itself. Fails with `session_not_found` if the session has already ended.",
  auth: "dashboard",
  answers: { 204: Type.Null() },
  errors: ["session_not_found"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    await endSession(app, { actor, sessionId: request.params.session_id });
    return reply.code(204).send(null);
  },
});

export const dashboardSessionRoutes: readonly Route[] = [listSessionsRoute, endSessionRoute];
