import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { AuditEntryResource } from "../../../audit/entries/entry-resource.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { listProjectAudit } from "../../../modules/projects/index.ts";
import { CursorQuery, cursorPage, LIMIT_DEFAULT } from "../../cursor.ts";
import type { Server } from "../../route.ts";
import { presentEntries, sequenceInCursor } from "../audit/audit-query.ts";
import { projectKeyOf } from "./project-key.ts";

export function listProjectAuditRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id/audit",
    config: {
      auth: "tenant",
      scope: "audit:read",
      agentBound: "allowed",
      sample: { sdk: "each projects.audit(PROJECT_ID)" },
    },
    schema: {
      operationId: "listProjectAudit",
      tags: ["Audit"],
      summary: "List audit entries of a project",
      description:
        "Returns the audit entries that belong to the project, newest first. A page can have fewer entries than `limit` even if it is not the last one; check `has_more`.",
      params: Type.Object({ project_id: Type.String() }),
      querystring: CursorQuery,
      response: { 200: cursorPage(AuditEntryResource), 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const beforeSequence = sequenceInCursor(cursor);
      const key = projectKeyOf(request, request.params.project_id);
      return presentEntries(await listProjectAudit(app, { key, beforeSequence, limit }));
    },
  });
}
