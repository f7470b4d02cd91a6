import type { Mode } from "../../foundation/vocabulary.ts";
import type { Optional } from "./columns.ts";

interface VendorEventTable {
  readonly vendor: string;
  readonly mode: Mode;
  readonly eventId: string;
  readonly type: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly receivedAt: Date;
  readonly nextAttemptAt: Date;
  readonly attempts: Optional<number>;
  readonly processedAt: Optional<Date | null>;
}

export interface VendorEventTables {
  readonly vendorEvents: VendorEventTable;
}
