import type { ColumnType } from "kysely";
import type { Json } from "../../foundation/canonical-json.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { JsonColumn, Optional } from "./columns.ts";

interface TenantDataKeyTable {
  readonly tenantId: TenantId;
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly wrapped: Buffer;
  readonly createdAt: Date;
}

interface DataKeyWrappingTable {
  readonly tenantId: TenantId;
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly superseded: Optional<boolean>;
  readonly createdAt: Date;
}

interface EventTable {
  readonly tenantId: TenantId;
  readonly eventId: string;
  readonly mode: Mode;
  readonly type: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Null if the event changes nothing of its subject. */
  readonly sequence: number | null;
  readonly data: JsonColumn<NonNullable<Json>>;
  readonly actor: JsonColumn<AuditActor>;
  readonly requestId: string | null;
  readonly occurredAt: Date;
  /** The number of the transaction that wrote the event, in decimal digits. The database sets it. */
  readonly xid: ColumnType<string, never, never>;
}

interface EventCounterTable {
  readonly tenantId: TenantId;
  readonly subjectType: string;
  readonly subjectId: string;
  /** The number of the subject's last event. */
  readonly sequence: number;
}

export interface IdempotencyRecordTable {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly method: string;
  readonly route: string;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly state: "in_flight" | "stored" | "secret_issued";
  readonly leaseExpiresAt: Date;
  readonly answerStatus: Optional<number | null>;
  readonly answerBody: Optional<string | null>;
  readonly agentIds: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface RequestSignatureTable {
  readonly tenantId: TenantId;
  /** SHA-256 of the signature, or of the issuer and `jti` of an external token about an agent. */
  readonly signatureHash: string;
  readonly idempotencyKey: string | null;
  readonly expiresAt: Date;
}

interface WorkflowExecutorTable {
  readonly executorId: string;
  readonly leaseExpiresAt: Date;
}

export interface FoundationTables {
  readonly tenantDataKeys: TenantDataKeyTable;
  readonly dataKeyWrappings: DataKeyWrappingTable;
  readonly events: EventTable;
  readonly eventCounters: EventCounterTable;
  readonly idempotencyRecords: IdempotencyRecordTable;
  readonly requestSignatures: RequestSignatureTable;
  readonly workflowExecutors: WorkflowExecutorTable;
}
