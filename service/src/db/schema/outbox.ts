import type { Json } from "../../foundation/canonical-json.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { JsonColumn, Optional, Sealed, SealedUnder } from "./columns.ts";

interface OutboxMessageTable {
  readonly tenantId: TenantId;
  readonly messageId: string;
  readonly topic: string;
  readonly mode: Mode;
  readonly payload: JsonColumn<Readonly<Record<string, Json>>>;
  readonly sealed: Optional<Sealed | null>;
  readonly sealedUnder: SealedUnder;
  readonly attempts: Optional<number>;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly lastError: Optional<string | null>;
}

interface EventTable {
  readonly tenantId: TenantId;
  readonly eventId: string;
  readonly mode: Mode;
  readonly type: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly sequence: number;
  readonly data: JsonColumn<NonNullable<Json>>;
  readonly actor: JsonColumn<AuditActor>;
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

export interface OutboxTables {
  readonly outboxMessages: OutboxMessageTable;
  readonly events: EventTable;
}
