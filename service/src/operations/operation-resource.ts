import { type Static, Type } from "typebox";
import type { OperationError } from "../db/schema.ts";
import { AppError, isErrorCode, problemBody } from "../foundation/errors.ts";
import { OPERATION_STATUSES, STEP_STATUSES } from "../foundation/vocabulary.ts";
import {
  Count,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  SubjectOut,
  Text,
  Timestamp,
} from "../foundation/wire/fields.ts";
import { Problem } from "../foundation/wire/problem.ts";
import { toWire } from "../foundation/wire/to-wire.ts";
import type { Operation } from "./queries.ts";

export const OperationStepResource = Type.Object({
  name: Type.String(),
  status: Type.Enum([...STEP_STATUSES]),
  at: Nullable(Text("When the step's `status` last changed. Null while the step is pending.", Timestamp)),
});

/**
 * Returns the schema of an operation (docs/rules/operations.md). `types` are the types of the sagas that the process
 * runs.
 */
export const operationResource = (types: readonly string[]) =>
  NamedObject("Operation", {
    object: Type.Literal("operation"),
    operation_id: Type.String(),
    project_id: Nullable(
      Text("The id of the project that the operation belongs to. Null if it does not belong to a project."),
    ),
    mode: ModeName,
    type: Type.Enum([...types]),
    status: Type.Enum([...OPERATION_STATUSES]),
    subject: {
      ...SubjectOut,
      description: "The object that the operation changes, for example a project or a service.",
    },
    service_id: Nullable(Text("The id of the service, if `subject` is a service. Null for all other subjects.")),
    steps: ListOf(OperationStepResource, "The steps in the order in which they run."),
    error: Nullable(Problem),
    expected_callback_seconds: Nullable(
      Count("Typical duration of the operation in seconds. Null unless the operation is waiting for the provider."),
    ),
    poll_url: Nullable(Text("URL path to poll for the operation's status. Null if the operation has ended.")),
    created_at: Timestamp,
    updated_at: Timestamp,
  });

/** The fields of an operation of any type. */
const AnyOperation = operationResource([]);

/** Converts an operation to its representation in responses and events, which contains no secrets. */
export function presentOperation(operation: Operation): Static<typeof AnyOperation> {
  const { status, error } = operation;
  const isOpen = status === "running" || status === "requires_approval";
  return toWire(AnyOperation, operation, {
    subject: { type: operation.subjectType, id: operation.subjectId },
    steps: operation.steps.map((step) => toWire(OperationStepResource, step)),
    error: error === null ? null : problemOf(error, operation.requestId),
    expected_callback_seconds: isOpen ? operation.expectedCallbackSeconds : null,
    poll_url: isOpen ? pollUrlOf(operation) : null,
  });
}

function pollUrlOf({ projectId, operationId }: Operation): string {
  const project = projectId === null ? "" : `/projects/${projectId}`;
  return `/api/v1/svc${project}/operations/${operationId}`;
}

function problemOf(error: OperationError, requestId: string | null) {
  return problemBody(errorForOperation(error), requestId ?? "");
}

/**
 * Returns the error that the original request would have returned if it had waited for the operation. An unknown code
 * becomes `internal_error`.
 */
export function errorForOperation({ code, ...context }: OperationError): AppError {
  return isErrorCode(code) ? new AppError(code, context) : new AppError("internal_error");
}

/** Returns an error as an operation stores it. */
export function storedError({ code, message, decision, nextAction }: AppError): OperationError {
  return { code, detail: message, decision, nextAction };
}
