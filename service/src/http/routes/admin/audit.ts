import { type Static, Type } from "typebox";
import { listAdminEntries } from "../../../audit/entries/queries.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { OPERATOR_TENANT } from "../../../foundation/ids.ts";
import { ModeName, NamedObject, Nullable, SubjectOut, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { AuditAnchorStateResource, readAnchorState } from "../../../workflows/admin-console/read-anchor-state.ts";
import { cursorPage, cursorQuery, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { recordAccess } from "./record-access.ts";

const AdminAuditEntryResource = NamedObject("AdminAuditEntry", {
  audit_id: Type.String(),
  developer_id: Nullable(
    Type.String(),
    "The developer in whose trail the entry is. Null for the operators' own trail.",
  ),
  admin_id: Type.String(),
  ip: Nullable(Type.String(), "The admin's network. Null in a developer's trail."),
  mode: ModeName,
  action: Type.String({ examples: ["developer.kyb_updated"] }),
  subject: SubjectOut,
  facts: Type.Unsafe<Readonly<Record<string, Json>>>(
    Type.Record(Type.String(), Type.Unknown(), { description: "Details. The fields depend on `action`." }),
  ),
  request_id: Nullable(Type.String()),
  occurred_at: Timestamp,
});

type Entry = Awaited<ReturnType<typeof listAdminEntries>>["items"][number];

function presentEntry(entry: Entry): Static<typeof AdminAuditEntryResource> {
  const { tenantId, actor } = entry;
  return toWire(AdminAuditEntryResource, entry, {
    developer_id: tenantId === OPERATOR_TENANT ? null : tenantId,
    admin_id: actor.id,
    ip: actor.ip,
  });
}

const Id = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: "^[!-~]+$", description }));

const Query = cursorQuery({
  admin_id: Id("The admin who wrote the entries."),
  developer_id: Id("The developer in whose trail the entries are, or whom they are about."),
});

export const listAdminAuditRoute = endpoint("GET /api/v1/svc/admin/audit", {
  operationId: "listAdminAudit",
  summary: "List what admins have done",
  description:
    "Returns audit entries of all accounts and of the operators' own trail that admins have written, newest first, and the state of the audit anchor. Each call is recorded in the operators' audit trail.",
  auth: "admin",
  query: Query,
  answers: {
    200: Type.Object(
      { ...cursorPage(AdminAuditEntryResource).properties, anchor: AuditAnchorStateResource },
      { $id: "AdminAuditEntryList" },
    ),
  },
  run: async (app, request) => {
    const { admin_id: adminId, developer_id: developerId, cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeIdCursor(cursor, "aud");
    const facts = { admin_id: adminId ?? null, developer_id: developerId ?? null };
    await recordAccess(app, request, { action: "audit.listed", facts });
    const page = await listAdminEntries(app.db, { adminId, developerId, after, limit });
    return {
      ...presentPage(page, presentEntry, "auditId"),
      anchor: await readAnchorState(app),
    };
  },
});
