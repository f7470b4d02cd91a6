import type { OperationError } from "../db/schema.ts";
import { AppError, isErrorCode, problemBody } from "../foundation/errors.ts";
import type { Operation } from "./queries.ts";

/**
 * An operation as the wire and its events show it (contract, section 3): what is done, what was undone, and where to ask
 * again while it runs. Never what it made.
 */
export function presentOperation(operation: Operation) {
  const { operationId, projectId, status, error } = operation;
  const isRunning = status === "running";
  return {
    object: "operation" as const,
    operation_id: operationId,
    project_id: projectId,
    mode: operation.mode,
    type: operation.type,
    status,
    service_id: operation.serviceId,
    steps: operation.steps.map(({ name, status: stepStatus, at }) => ({
      name,
      status: stepStatus,
      at: at?.toISOString() ?? null,
    })),
    error: error === null ? null : problemOf(error, operation.requestId),
    expected_callback_seconds: isRunning ? operation.expectedCallbackSeconds : null,
    poll_url: isRunning ? `/api/v1/svc/projects/${projectId}/operations/${operationId}` : null,
    created_at: operation.createdAt.toISOString(),
    updated_at: operation.updatedAt.toISOString(),
  };
}

function problemOf(error: OperationError, requestId: string | null) {
  return problemBody(refusalFor(error), requestId ?? "");
}

/** As the call itself would have been refused, had it waited. A code that this build does not know says nothing more. */
export function refusalFor({ code, detail }: OperationError): AppError {
  return isErrorCode(code) ? new AppError(code, { detail }) : new AppError("internal_error");
}
