import type { OperationError } from "../db/schema.ts";
import { AppError, isErrorCode, problemBody } from "../foundation/errors.ts";
import type { Operation } from "./queries.ts";

/**
 * An operation as the wire and its events show it (contract, section 3): what is done, what was undone, and where to ask
 * again while it runs. Never what it made.
 */
export function presentOperation(operation: Operation) {
  const { operationId, status, error } = operation;
  const isOpen = status === "running" || status === "requires_approval";
  return {
    object: "operation" as const,
    operation_id: operationId,
    project_id: operation.projectId,
    mode: operation.mode,
    type: operation.type,
    status,
    subject: { type: operation.subjectType, id: operation.subjectId },
    service_id: operation.serviceId,
    steps: operation.steps.map(({ name, status: stepStatus, at }) => ({
      name,
      status: stepStatus,
      at: at?.toISOString() ?? null,
    })),
    error: error === null ? null : problemOf(error, operation.requestId),
    expected_callback_seconds: isOpen ? operation.expectedCallbackSeconds : null,
    poll_url: isOpen ? pollUrlOf(operation) : null,
    created_at: operation.createdAt.toISOString(),
    updated_at: operation.updatedAt.toISOString(),
  };
}

function pollUrlOf({ projectId, operationId }: Operation): string {
  const project = projectId === null ? "" : `/projects/${projectId}`;
  return `/api/v1/svc${project}/operations/${operationId}`;
}

function problemOf(error: OperationError, requestId: string | null) {
  return problemBody(refusalFor(error), requestId ?? "");
}

/** As the call itself would have been refused, had it waited. A code that this build does not know says nothing more. */
export function refusalFor({ code, detail }: OperationError): AppError {
  return isErrorCode(code) ? new AppError(code, { detail }) : new AppError("internal_error");
}
