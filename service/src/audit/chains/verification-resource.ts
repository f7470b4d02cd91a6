import { type Static, Type } from "typebox";
import { AUDIT_CHAINS, type AuditChain } from "../../foundation/vocabulary.ts";
import { Count, Flag, NamedObject, Nullable, OneOf, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { GENESIS_HASH } from "./chain.ts";
import type { ChainVerification } from "./verify.ts";

const AuditChainBreakResource = NamedObject("AuditChainBreak", {
  sequence: Count("The sequence number of the first invalid entry."),
  reason: OneOf(
    ["hash_mismatch", "prev_hash_mismatch", "sequence_gap", "missing_entry"],
    "`hash_mismatch`: the entry's hash does not match its content. `prev_hash_mismatch`: `prev_hash` is not the hash of the previous entry. `sequence_gap`: the sequence numbers of two neighboring entries are not consecutive. `missing_entry`: an entry that was part of the chain is no longer stored.",
  ),
  expected: Nullable(
    Text("The value that was expected: a hash, a sequence number or an entry id, depending on `reason`."),
  ),
  actual: Nullable(Text("The value that was found instead. Null if nothing was found.")),
});

const AuditAnchorStatusResource = NamedObject("AuditAnchorStatus", {
  status: OneOf(
    ["matched", "mismatch", "pending", "unavailable"],
    "Result of comparing the chain with the newest checkpoint in the anchor, which is external storage. A checkpoint is a signed record of the chain's length and last hash. `matched`: the signature is valid, and the chain contains the recorded hash at the recorded position. `mismatch`: the signature is invalid, the chain does not contain the recorded hash at the recorded position, or the checkpoint is missing or outdated. `pending`: no checkpoint has been stored in the anchor yet. `unavailable`: the anchor did not respond.",
  ),
  type: Type.Literal("signed_checkpoint"),
  anchored_sequence: Nullable(
    Count("Number of chain entries that the newest checkpoint covers. Null if the anchor returned no checkpoint."),
  ),
  anchored_hash: Nullable(
    Text(
      "The hash of the last chain entry that the newest checkpoint covers. Null if the anchor returned no checkpoint.",
    ),
  ),
  anchored_at: Nullable({
    ...Timestamp,
    description: "When the newest checkpoint was created. Null if the anchor returned no checkpoint.",
  }),
  reference: Nullable(
    Text("Location of the newest checkpoint in the anchor's storage. Null if the anchor returned no checkpoint."),
  ),
  unanchored_entries: Count("Number of chain entries after the newest checkpoint."),
});

/** The result of verifying a chain (docs/rules/audit-trail.md). */
export const AuditVerificationResource = NamedObject("AuditVerification", {
  valid: Nullable(
    Flag(
      "True if `broken_at` is null and `anchor.status` is `matched` or `pending`. False if `broken_at` is set or `anchor.status` is `mismatch`. Null if `broken_at` is null but the anchor did not respond.",
    ),
  ),
  chain: Type.Enum([...AUDIT_CHAINS]),
  entries_checked: Count("Number of entries checked."),
  first_sequence: Nullable(Count("Sequence number of the first entry checked. Null if no entry was checked.")),
  last_sequence: Nullable(Count("Sequence number of the last entry checked. Null if no entry was checked.")),
  genesis_hash: Text("The `prev_hash` of the first entry, which is 64 zeros."),
  head_hash: Text("The hash of the last entry checked. 64 zeros if the chain has no entries."),
  broken_at: Nullable(AuditChainBreakResource),
  anchor: AuditAnchorStatusResource,
  truncation_detected: Flag(
    "Whether the newest checkpoint in the anchor covers entries that are missing from the chain.",
  ),
  checked_at: Timestamp,
});

export function presentAuditVerification(
  chain: AuditChain,
  verification: ChainVerification,
): Static<typeof AuditVerificationResource> {
  const { entriesChecked, firstSequence, anchor } = verification;
  return toWire(AuditVerificationResource, verification, {
    chain,
    first_sequence: entriesChecked === 0 ? null : firstSequence,
    last_sequence: entriesChecked === 0 ? null : firstSequence + entriesChecked - 1,
    genesis_hash: GENESIS_HASH,
    anchor: presentAnchorStatus(anchor),
    truncation_detected: anchor.truncated,
  });
}

function presentAnchorStatus(anchor: ChainVerification["anchor"]): Static<typeof AuditAnchorStatusResource> {
  return toWire(AuditAnchorStatusResource, anchor, {
    type: "signed_checkpoint",
    anchored_sequence: anchor.checkpoint?.sequence ?? null,
    anchored_hash: anchor.checkpoint?.headHash ?? null,
    anchored_at: anchor.checkpoint?.time ?? null,
  });
}
