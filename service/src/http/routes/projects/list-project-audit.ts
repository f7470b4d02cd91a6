import { AuditEntryResource } from "../../../audit/entries/entry-resource.ts";
import { listProjectAudit } from "../../../modules/projects/read-projects.ts";
import { CursorQuery, cursorPage, LIMIT_DEFAULT } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { presentEntries, sequenceInCursor } from "../audit/audit-query.ts";
import { projectKeyOf } from "./project-key.ts";

export const listProjectAuditRoute = endpoint("GET /api/v1/svc/projects/:project_id/audit", {
  operationId: "listProjectAudit",
  sdk: "projects.audit",
  summary: "List audit entries of a project",
  description:
    "Returns the audit entries that belong to the project, newest first. A page can have fewer entries than `limit` even if it is not the last one; check `has_more`.",
  auth: "tenant",
  scope: "audit:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(AuditEntryResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const beforeSequence = sequenceInCursor(cursor);
    const key = projectKeyOf(request, request.params.project_id);
    return presentEntries(await listProjectAudit(app, { key, beforeSequence, limit }));
  },
});
