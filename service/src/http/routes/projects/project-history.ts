import { Type } from "typebox";
import { AuditEntryResource } from "../../../audit/entries/entries.ts";
import { Text } from "../../../foundation/wire/fields.ts";
import { ChargeResource, listCharges, presentCharge } from "../../../modules/charges/charges.ts";
import { getProjectOperation, listProjectAudit } from "../../../modules/projects/projects.ts";
import { presentOperation } from "../../../operations/operation-resource.ts";
import { CursorQuery, cursorPage, cursorQuery, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { presentEntries, sequenceInCursor } from "../audit/audit.ts";
import { OperationResource } from "../operations/operations.ts";
import { projectKeyOf } from "./project-key.ts";

const ChargesQuery = cursorQuery({
  period: Type.Optional(
    Type.String({
      pattern: "^2[0-9]{3}-(0[1-9]|1[0-2])$",
      maxLength: 7,
      description: "Returns only charges of this calendar month (UTC), for example `2026-11`.",
      examples: ["2026-11"],
    }),
  ),
  provider: Type.Optional(
    Text("Returns only charges of this provider, for example `neon`.", { pattern: "^[a-z][a-z0-9_-]{0,63}$" }),
  ),
});

export const listChargesRoute = endpoint("GET /api/v1/svc/projects/:project_id/charges", {
  operationId: "listProjectCharges",
  sdk: "projects.charges",
  summary: "List charges of a project",
  description:
    "Returns the project's charges, newest first: one for each service and month, another one if the service's plan changed in the month, and one for each payment that counts toward the cap. Charges of a deleted project stay readable. The amount of a `reserved` charge is the price or the estimated cost. It becomes final after the month ends, or when the service is removed.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  query: ChargesQuery,
  answers: { 200: cursorPage(ChargeResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, period, provider } = request.query;
    const page = await listCharges(app, {
      key: projectKeyOf(request, request.params.project_id),
      afterChargeId: decodeCursor(cursor, /^(ch|pay)_[0-9a-z_-]{1,60}$/),
      limit,
      periodStart: period === undefined ? undefined : new Date(`${period}-01T00:00:00Z`),
      provider,
    });
    return presentPage(page, presentCharge, (charge) => presentCharge(charge).charge_id);
  },
});

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

export const getProjectOperationRoute = endpoint("GET /api/v1/svc/projects/:project_id/operations/:operation_id", {
  operationId: "getOperation",
  sdk: "projects.operations.get",
  summary: "Get an operation of a project",
  description:
    "Returns a project's operation with the status of each step. A step that was undone after a failure has the status `compensated`. Never returns credentials. Fails with `project_not_found` or `operation_not_found`.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: OperationResource },
  errors: ["project_not_found", "operation_not_found"],
  run: async (app, request) => {
    const key = projectKeyOf(request, request.params.project_id);
    const operationId = pathId("op", request.params.operation_id);
    return presentOperation(await getProjectOperation(app, { key, operationId }));
  },
});
