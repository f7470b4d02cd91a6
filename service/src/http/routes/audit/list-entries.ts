import { Type } from "typebox";
import { AuditEntryResource } from "../../../audit/entries/entry-resource.ts";
import { listEntries } from "../../../audit/entries/list-entries.ts";
import { principalOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, LIMIT_DEFAULT } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { ActionName, ChainName, presentEntries, SubjectId, sequenceInCursor } from "./audit-query.ts";

export const listEntriesRoute = endpoint("GET /api/v1/svc/audit/entries", {
  operationId: "listAuditEntries",
  sdk: "audit.entries",
  summary: "List audit entries",
  description:
    "Returns the entries of an audit chain, newest first. With a filter, a page can have few or no entries even if `has_more` is true. Test keys can list only entries in test mode.",
  auth: "tenant",
  scope: "audit:read",
  query: Type.Object(
    {
      chain: Type.Optional(ChainName),
      action: Type.Optional(ActionName),
      subject_id: Type.Optional(SubjectId),
      ...CursorQuery.properties,
    },
    { additionalProperties: false },
  ),
  answers: { 200: cursorPage(AuditEntryResource) },
  run: async (app, request) => {
    const { tenantId, kind, mode } = principalOf(request);
    const { chain = "tenant", action, subject_id: subjectId } = request.query;
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const modeFilter = kind === "api_key" && mode === "test" ? { mode } : {};
    const page = await listEntries(app, {
      key: { tenantId, chain },
      filter: { ...modeFilter, action, subjectId },
      beforeSequence: sequenceInCursor(cursor),
      limit,
    });
    return presentEntries(page);
  },
});
