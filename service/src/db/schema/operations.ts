import type { ColumnType } from "kysely";
import type { OperationId, ProjectId, ServiceId, TenantId } from "../../foundation/ids.ts";
import type { Mode, OperationStatus, StepStatus } from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { JsonColumn, Optional } from "./columns.ts";

/** Why an operation failed, in a code of our own catalog and a sentence for its caller. */
export interface OperationError {
  readonly code: string;
  readonly detail: string;
}

export interface OperationTable {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly mode: Mode;
  readonly type: string;
  /** What kind of thing it is about: `project`, `service`. */
  readonly subjectType: string;
  readonly subjectId: string;
  /** Null where its subject belongs to no project. */
  readonly projectId: ProjectId | null;
  /** The subject's id where that is a service. */
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
