import type { ColumnType } from "kysely";
import type { Json } from "../../foundation/canonical-json.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { JsonColumn } from "./columns.ts";

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

export interface EventTables {
  readonly events: EventTable;
  readonly eventCounters: EventCounterTable;
}
