import type { Mode } from "../../foundation/vocabulary.ts";

export interface VendorEventTables {
  readonly vendorEvents: {
    readonly vendor: string;
    readonly mode: Mode;
    readonly eventId: string;
    readonly type: string;
    readonly objectType: string;
    readonly objectId: string;
    readonly receivedAt: Date;
  };
}
