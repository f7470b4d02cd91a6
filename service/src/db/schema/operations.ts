import type { ColumnType } from "kysely";
import type { OperationId, ProjectId, ServiceId } from "../../foundation/ids.ts";
import type { OperationStatus, StepStatus } from "../../foundation/vocabulary.ts";
import type { Decision, NextAction } from "../../foundation/wire/problem.ts";
import type { AuditActor } from "./audit.ts";
import type { ChangingOfMode, JsonColumn, OfTenant, Optional } from "./columns.ts";

/** Why an operation failed: an API error code, a sentence for the caller, and what `AppError` adds to a refusal. */
export interface OperationError {
  readonly code: string;
  readonly detail: string;
  readonly decision?: Decision | undefined;
  readonly nextAction?: NextAction | undefined;
}

export interface OperationTables {
  readonly operations: ChangingOfMode & {
    readonly operationId: OperationId;
    readonly type: string;
    /** The type of the object that the operation changes, such as `project` or `service`. */
    readonly subjectType: string;
    readonly subjectId: string;
    /** Null if the object does not belong to a project. */
    readonly projectId: ProjectId | null;
    /** The object's id if the object is a service, otherwise null. */
    readonly serviceId: ServiceId | null;
    readonly status: OperationStatus;
    readonly actor: JsonColumn<AuditActor>;
    readonly requestId: string | null;
    readonly error: ColumnType<OperationError | null, string | null | undefined, string | null>;
    readonly expectedCallbackSeconds: Optional<number | null>;
  };
  readonly operationSteps: OfTenant & {
    readonly operationId: OperationId;
    readonly position: number;
    readonly name: string;
    readonly status: StepStatus;
    readonly at: Optional<Date | null>;
  };
}
