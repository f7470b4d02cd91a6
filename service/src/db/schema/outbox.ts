import type { Json } from "../../foundation/canonical-json.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
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

export interface OutboxTables {
  readonly outboxMessages: OutboxMessageTable;
}
