import { type Static, Type } from "typebox";
import { AUDIT_CHAINS, type AuditChain } from "../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../foundation/wire/common.ts";
import { GENESIS_HASH } from "./chain.ts";
import type { ChainFindings } from "./verify.ts";

const AuditChainBreakResource = Type.Object(
  {
    sequence: Type.Integer(),
    reason: Type.Enum(["hash_mismatch", "prev_hash_mismatch", "sequence_gap", "missing_entry"]),
    expected: Nullable(Type.String()),
    actual: Nullable(Type.String()),
  },
  { $id: "AuditChainBreak" },
);

const AuditAnchorStatusResource = Type.Object(
  {
    status: Type.Enum(["matched", "mismatch", "pending", "unavailable"]),
    type: Type.Literal("signed_checkpoint"),
    anchored_sequence: Nullable(Type.Integer()),
    anchored_hash: Nullable(Type.String()),
    anchored_at: Nullable(Timestamp),
    reference: Nullable(Type.String()),
    unanchored_entries: Type.Integer(),
  },
  { $id: "AuditAnchorStatus" },
);

/** The result of verifying a chain (docs/api.md). */
export const AuditVerificationResource = Type.Object(
  {
    valid: Nullable(Type.Boolean()),
    chain: Type.Enum([...AUDIT_CHAINS]),
    entries_checked: Type.Integer(),
    first_sequence: Nullable(Type.Integer()),
    last_sequence: Nullable(Type.Integer()),
    genesis_hash: Type.String(),
    head_hash: Type.String(),
    broken_at: Nullable(AuditChainBreakResource),
    anchor: AuditAnchorStatusResource,
    truncation_detected: Type.Boolean(),
    checked_at: Timestamp,
  },
  { $id: "AuditVerification" },
);

export function presentAuditVerification(
  chain: AuditChain,
  { entriesChecked, firstSequence, brokenAt, anchor, ...findings }: ChainFindings,
): Static<typeof AuditVerificationResource> {
  return {
    valid: findings.valid,
    chain,
    entries_checked: entriesChecked,
    first_sequence: entriesChecked === 0 ? null : firstSequence,
    last_sequence: entriesChecked === 0 ? null : firstSequence + entriesChecked - 1,
    genesis_hash: GENESIS_HASH,
    head_hash: findings.headHash,
    broken_at: brokenAt === null ? null : { ...brokenAt },
    anchor: presentAnchorStatus(anchor),
    truncation_detected: anchor.truncated,
    checked_at: findings.checkedAt.toISOString(),
  };
}

function presentAnchorStatus({
  status,
  checkpoint,
  reference,
  unanchoredEntries,
}: ChainFindings["anchor"]): Static<typeof AuditAnchorStatusResource> {
  return {
    status,
    type: "signed_checkpoint",
    anchored_sequence: checkpoint?.sequence ?? null,
    anchored_hash: checkpoint?.headHash ?? null,
    anchored_at: checkpoint?.time ?? null,
    reference,
    unanchored_entries: unanchoredEntries,
  };
}
