import type { ColumnType } from "kysely";
import type { OperationId, ProjectId, ServiceId, TenantId } from "../../foundation/ids.ts";
import type { Mode, OperationStatus, StepStatus } from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { JsonColumn, Optional } from "./columns.ts";

/** Why an operation failed: an API error code and a sentence for the caller. */
export interface OperationError {
  readonly code: string;
  readonly detail: string;
}

export interface OperationTable {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly mode: Mode;
  readonly type: string;
  /** For example `project` or `service`. */
  readonly subjectType: string;
  readonly subjectId: string;
  /** Null if the subject does not belong to a project. */
  readonly projectId: ProjectId | null;
  /** The subject's id if the subject is a service, otherwise null. */
  readonly serviceId: ServiceId | null;
  readonly status: OperationStatus;
  readonly actor: JsonColumn<AuditActor>;
  readonly requestId: string | null;
  readonly error: ColumnType<OperationError | null, string | null | undefined, string | null>;
  readonly expectedCallbackSeconds: Optional<number | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface OperationStepTable {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly position: number;
  readonly name: string;
  readonly status: StepStatus;
  readonly at: Optional<Date | null>;
}

export interface OperationTables {
  readonly operations: OperationTable;
  readonly operationSteps: OperationStepTable;
}
