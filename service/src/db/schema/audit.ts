import type { Json } from "../../foundation/canonical-json.ts";
import type { AuditId, TenantId } from "../../foundation/ids.ts";
import type { AuditChain, Mode } from "../../foundation/vocabulary.ts";
import type { JsonColumn, Optional } from "./columns.ts";

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

interface AuditEntryTable {
  readonly tenantId: TenantId;
  readonly auditId: AuditId;
  readonly chain: AuditChain;
  readonly mode: Mode;
  readonly actor: JsonColumn<AuditActor>;
  readonly action: string;
  readonly subject: JsonColumn<AuditSubject>;
  readonly facts: JsonColumn<Readonly<Record<string, Json>>>;
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

interface AuditPendingTable {
  readonly tenantId: TenantId;
  readonly auditId: AuditId;
  readonly chain: AuditChain;
}

interface AuditLinkTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly auditId: AuditId;
  readonly prevHash: string;
  readonly hash: string;
}

interface AuditHeadTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly hash: string;
  readonly anchoredSequence: Optional<number>;
  readonly anchoredAt: Optional<Date | null>;
}

interface AuditCheckpointTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly headHash: string;
  readonly checkpointedAt: Date;
  readonly prevCheckpointHash: string;
  readonly checkpointHash: string;
  readonly keyId: string;
  readonly signature: string;
}

interface AuditAnchoringTable {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly reference: string;
  readonly anchoredAt: Date;
}

export interface AuditTables {
  readonly auditEntries: AuditEntryTable;
  readonly auditPending: AuditPendingTable;
  readonly auditLinks: AuditLinkTable;
  readonly auditHeads: AuditHeadTable;
  readonly auditCheckpoints: AuditCheckpointTable;
  readonly auditAnchorings: AuditAnchoringTable;
}
