import { Type } from "typebox";
import { GENESIS_HASH } from "../../../audit/chain.ts";
import type { ChainFindings } from "../../../audit/verify.ts";
import { AUDIT_CHAINS, type AuditChain } from "../../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";

/** What the verification of either chain found (contract, section 2). */
export const AuditVerification = Type.Object(
  {
    valid: Nullable(Type.Boolean()),
    chain: Type.Enum([...AUDIT_CHAINS]),
    entries_checked: Type.Integer(),
    first_sequence: Nullable(Type.Integer()),
    last_sequence: Nullable(Type.Integer()),
    genesis_hash: Type.String(),
    head_hash: Type.String(),
    broken_at: Nullable(
      Type.Object({
        sequence: Type.Integer(),
        reason: Type.Enum(["hash_mismatch", "prev_hash_mismatch", "sequence_gap", "missing_entry"]),
        expected: Nullable(Type.String()),
        actual: Nullable(Type.String()),
      }),
    ),
    anchor: Type.Object({
      status: Type.Enum(["matched", "mismatch", "pending", "unavailable"]),
      type: Type.Literal("signed_checkpoint"),
      anchored_sequence: Nullable(Type.Integer()),
      anchored_hash: Nullable(Type.String()),
      anchored_at: Nullable(Timestamp),
      reference: Nullable(Type.String()),
      unanchored_entries: Type.Integer(),
    }),
    truncation_detected: Type.Boolean(),
    checked_at: Timestamp,
  },
  { $id: "AuditVerification" },
);

export function presentFindings(chain: AuditChain, findings: ChainFindings) {
  const { anchor, brokenAt, entriesChecked, firstSequence } = findings;
  return {
    valid: findings.valid,
    chain,
    entries_checked: entriesChecked,
    first_sequence: entriesChecked === 0 ? null : firstSequence,
    last_sequence: entriesChecked === 0 ? null : firstSequence + entriesChecked - 1,
    genesis_hash: GENESIS_HASH,
    head_hash: findings.headHash,
    broken_at: brokenAt === null ? null : { ...brokenAt },
    anchor: {
      status: anchor.status,
      type: "signed_checkpoint" as const,
      anchored_sequence: anchor.checkpoint?.sequence ?? null,
      anchored_hash: anchor.checkpoint?.headHash ?? null,
      anchored_at: anchor.checkpoint?.time ?? null,
      reference: anchor.reference,
      unanchored_entries: anchor.unanchoredEntries,
    },
    truncation_detected: anchor.truncated,
    checked_at: findings.checkedAt.toISOString(),
  };
}
