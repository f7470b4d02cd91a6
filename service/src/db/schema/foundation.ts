import type { ColumnType } from "kysely";
import type { Json } from "../../foundation/canonical-json.ts";
import type { AuditActor } from "./audit.ts";
import type { CreatedOfMode, CreatedOfTenant, JsonColumn, OfMode, OfTenant, Optional } from "./columns.ts";

export interface FoundationTables {
  readonly tenantDataKeys: CreatedOfTenant & {
    readonly version: number;
    readonly keyEncryptionKeyId: string;
    readonly wrapped: Buffer;
  };
  readonly dataKeyWrappings: CreatedOfTenant & {
    readonly version: number;
    readonly keyEncryptionKeyId: string;
    readonly superseded: Optional<boolean>;
  };
  readonly events: OfMode & {
    readonly eventId: string;
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
  };
  readonly eventCounters: OfTenant & {
    readonly subjectType: string;
    readonly subjectId: string;
    /** The number of the subject's last event. */
    readonly sequence: number;
  };
  readonly idempotencyRecords: CreatedOfMode & {
    readonly method: string;
    readonly route: string;
    readonly idempotencyKey: string;
    readonly fingerprint: string;
    readonly state: "in_flight" | "stored" | "secret_issued";
    readonly leaseExpiresAt: Date;
    readonly answerStatus: Optional<number | null>;
    readonly answerBody: Optional<string | null>;
    readonly agentIds: readonly string[];
    readonly expiresAt: Date;
  };
  readonly requestSignatures: OfTenant & {
    /** SHA-256 of the signature, or of the issuer and `jti` of an external token about an agent. */
    readonly signatureHash: string;
    readonly idempotencyKey: string | null;
    readonly expiresAt: Date;
  };
  readonly workflowExecutors: {
    readonly executorId: string;
    readonly leaseExpiresAt: Date;
  };
}
