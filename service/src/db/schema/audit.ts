import type { Json } from "../../foundation/canonical-json.ts";
import type { AuditId } from "../../foundation/ids.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import type { JsonColumn, OfMode, OfTenant, Optional } from "./columns.ts";

export interface AuditActor {
  readonly type: "developer" | "agent" | "admin" | "system";
  readonly id: string;
  readonly key_id: string | null;
  readonly ip: string | null;
}

export interface AuditSubject {
  readonly type: string;
  readonly id: string;
}

export interface AuditTables {
  readonly auditEntries: OfMode & {
    readonly auditId: AuditId;
    readonly chain: AuditChain;
    readonly actor: JsonColumn<AuditActor>;
    readonly action: string;
    readonly subject: JsonColumn<AuditSubject>;
    readonly facts: JsonColumn<Readonly<Record<string, Json>>>;
    readonly requestId: string | null;
    readonly occurredAt: Date;
  };
  readonly auditPending: OfTenant & {
    readonly auditId: AuditId;
    readonly chain: AuditChain;
  };
  readonly auditLinks: OfTenant & {
    readonly chain: AuditChain;
    readonly sequence: number;
    readonly auditId: AuditId;
    readonly prevHash: string;
    readonly hash: string;
  };
  readonly auditHeads: OfTenant & {
    readonly chain: AuditChain;
    readonly sequence: number;
    readonly hash: string;
    readonly anchoredSequence: Optional<number>;
    readonly anchoredAt: Optional<Date | null>;
  };
  readonly auditCheckpoints: OfTenant & {
    readonly chain: AuditChain;
    readonly sequence: number;
    readonly headHash: string;
    readonly checkpointedAt: Date;
    readonly prevCheckpointHash: string;
    readonly checkpointHash: string;
    readonly keyId: string;
    readonly signature: string;
  };
  readonly auditAnchorings: OfTenant & {
    readonly chain: AuditChain;
    readonly sequence: number;
    readonly reference: string;
    readonly anchoredAt: Date;
  };
}
