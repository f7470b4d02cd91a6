import { sha256Hex } from "../../crypto/signing.ts";
import type { Row } from "../../db/schema.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";

/** The `prev_hash` of a chain's first entry. */
export const GENESIS_HASH = "0".repeat(64);

/** The content of an entry, without its position in the chain. */
export type AuditRecord = Row<"auditEntries">;

/** The position and hash of a chain's newest entry, or of an earlier entry that has been verified. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/** The position before a chain's first entry. */
export const GENESIS: ChainHead = { sequence: 0, hash: GENESIS_HASH };

export interface AuditPosition {
  readonly sequence: number;
  readonly prevHash: string;
}

/** Returns the part of an entry that is hashed: its exported line without `hash` (docs/rules/audit-trail.md). */
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

/** Returns an entry's hash: lowercase hex SHA-256 of the canonical JSON (RFC 8785) of `auditLine`. */
export function auditHash(record: AuditRecord, position: AuditPosition): string {
  return sha256Hex(canonicalJson(auditLine(record, position)));
}
