import { sha256Hex } from "../../crypto/signing.ts";
import type { AuditActor, AuditSubject } from "../../db/schema.ts";
import { canonicalJson, type Json } from "../../foundation/canonical-json.ts";
import type { AuditId, TenantId } from "../../foundation/ids.ts";
import type { AuditChain, Mode } from "../../foundation/vocabulary.ts";

/** The `prev_hash` of a chain's first entry. */
export const GENESIS_HASH = "0".repeat(64);

/** The content of an entry, without its place in the chain. */
export interface AuditRecord {
  readonly auditId: AuditId;
  readonly chain: AuditChain;
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly actor: AuditActor;
  readonly action: string;
  readonly subject: AuditSubject;
  readonly facts: Readonly<Record<string, Json>>;
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

/** The newest entry of a chain, or another one that is known to be valid. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/** The start of every chain. */
export const GENESIS: ChainHead = { sequence: 0, hash: GENESIS_HASH };

/** The place of an entry in its chain. */
export interface AuditPosition {
  readonly sequence: number;
  readonly prevHash: string;
}

/** The hashed part of an entry: its exported line without the hash (docs/api.md). */
export function auditLine(record: AuditRecord, { sequence, prevHash }: AuditPosition) {
  return {
    audit_id: record.auditId,
    chain: record.chain,
    tenant_id: record.tenantId,
    mode: record.mode,
    sequence,
    actor: { ...record.actor },
    action: record.action,
    subject: { ...record.subject },
    facts: record.facts,
    request_id: record.requestId,
    occurred_at: record.occurredAt.toISOString(),
    prev_hash: prevHash,
  };
}

/** The hash of an entry in its place: lower-case hex SHA-256 of its line's canonical JSON (RFC 8785). */
export function auditHash(record: AuditRecord, place: AuditPosition): string {
  return sha256Hex(canonicalJson(auditLine(record, place)));
}
