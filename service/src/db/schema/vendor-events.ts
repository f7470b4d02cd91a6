import type { Mode } from "../../foundation/vocabulary.ts";

interface VendorEventTable {
  readonly vendor: string;
  readonly mode: Mode;
  readonly eventId: string;
  readonly type: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly receivedAt: Date;
}

export interface VendorEventTables {
  readonly vendorEvents: VendorEventTable;
}
