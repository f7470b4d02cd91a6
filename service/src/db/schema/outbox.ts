import type { Json } from "../../foundation/canonical-json.ts";
import type { CreatedOfMode, JsonColumn, Optional, Sealed, SealedUnder } from "./columns.ts";

export interface OutboxTables {
  readonly outboxMessages: CreatedOfMode & {
    readonly messageId: string;
    readonly topic: string;
    readonly payload: JsonColumn<Readonly<Record<string, Json>>>;
    readonly sealed: Optional<Sealed | null>;
    readonly sealedUnder: SealedUnder;
    readonly attempts: Optional<number>;
    readonly dueAt: Date;
    readonly lastError: Optional<string | null>;
  };
}
