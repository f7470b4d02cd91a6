import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { DISPLAY_TEXT, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { OperatorOperationResource, presentOperatorOperation } from "../../../operations/operator/operator-resource.ts";
import { OPERATOR_STATUSES, type StuckPosition } from "../../../operations/operator/queries.ts";
import {
  compensateOperation,
  findOperationForAdmin,
  readStuckOperations,
  retryOperation,
} from "../../../workflows/stalled-operations/resolve-operation.ts";
import { adminOf } from "../../auth/principal.ts";
import { cursorPage, cursorQuery, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { recordAccess } from "./record-access.ts";

const Query = cursorQuery({ status: Type.Optional(Type.Enum([...OPERATOR_STATUSES])) });

const listStuckOperationsRoute = endpoint("GET /api/v1/svc/admin/operations", {
  operationId: "listStuckOperations",
  summary: "List operations that are stuck",
  description:
    "Returns operations of all accounts and modes: first those that need an operator, then those that have run for more than ten minutes; the oldest first. Each call is recorded in the operators' audit trail.",
  auth: "admin",
  query: Query,
  answers: { 200: cursorPage(OperatorOperationResource) },
  run: async (app, request) => {
    const { status, cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = positionOf(cursor);
    await recordAccess(app, request, { action: "operations.listed", facts: { status: status ?? null } });
    const page = await readStuckOperations(app, { status, after, limit });
    return presentPage(page, presentOperatorOperation, ({ rank, operationId }) => `${rank} ${operationId}`);
  },
});

function positionOf(cursor: string | undefined): StuckPosition | undefined {
  const name = decodeCursor(cursor, /^[01] op_[0-9a-z]{26}$/);
  return name === undefined ? undefined : { rank: Number(name[0]), operationId: name.slice(2) };
}

const retryOperationRoute = endpoint("POST /api/v1/svc/admin/operations/:operation_id/retry", {
  operationId: "retryOperation",
  summary: "Run a stuck operation again",
  description:
    "Lets an operation with the status `needs_operator` run again from its failed step. If that fails again, the operation is undone. Nothing is created or charged twice. If `stuck_step` is set, and after `compensate`, only undoes the operation again. Fails with `conflict` if the operation has another status, if a later operation of its subject has taken its place, if it costs money and its developer, project or agent is not active, or while the credential that it replaces is being retired. The audit entry is in the developer's trail.",
  auth: "admin",
  answers: { 202: OperatorOperationResource },
  errors: ["operation_not_found", "conflict"],
  run: async (app, request, reply) => {
    const { operation, admin } = await operationOfAdmin(app, request, request.params.operation_id);
    const options = { status: 202, present: presentOperatorOperation, about: operation.tenantId } as const;
    return replyOnce(app, request, reply, options, (saveResponse) =>
      retryOperation(app, { operation, admin, saveResponse }),
    );
  },
});

const CompensateRequest = StrictObject("CompensateRequest", {
  reason: Text("What was done at the provider. Visible to the developer in the audit trail.", {
    minLength: 1,
    maxLength: 1_000,
    ...DISPLAY_TEXT,
  }),
});

const compensateOperationRoute = endpoint("POST /api/v1/svc/admin/operations/:operation_id/compensate", {
  operationId: "compensateOperation",
  summary: "Undo a stuck operation",
  description:
    "States that you have undone `stuck_step` at the provider by hand, and lets the rest of the operation be undone: reservations are released. From then on, the operation can only be undone. Fails with `conflict` as `retry` does, and if `stuck_step` is null.",
  auth: "admin",
  body: CompensateRequest,
  answers: { 202: OperatorOperationResource },
  errors: ["operation_not_found", "conflict"],
  run: async (app, request, reply) => {
    const { reason } = request.body;
    const { operation, admin } = await operationOfAdmin(app, request, request.params.operation_id);
    const options = { status: 202, present: presentOperatorOperation, about: operation.tenantId } as const;
    return replyOnce(app, request, reply, options, (saveResponse) =>
      compensateOperation(app, { operation, admin, reason, saveResponse }),
    );
  },
});

/** Returns the operation in the path, of any account and mode, and the admin. */
async function operationOfAdmin(app: App, request: FastifyRequest, operationId: string) {
  const operation = await findOperationForAdmin(app, pathId("op", operationId));
  return { operation, admin: { adminId: adminOf(request).adminId, requestId: request.id } };
}

export const stuckOperationRoutes: readonly Route[] = [
  listStuckOperationsRoute,
  retryOperationRoute,
  compensateOperationRoute,
];
