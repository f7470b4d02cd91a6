import { type Static, Type } from "typebox";
import { AUDIT_CHAINS } from "../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../foundation/wire/common.ts";
import type { StoredCheckpoint } from "./queries.ts";

/** A signed statement about a chain (docs/api.md). */
export const AuditCheckpointResource = Type.Object(
  {
    object: Type.Literal("audit_checkpoint"),
    tenant_id: Type.String(),
    chain: Type.Enum([...AUDIT_CHAINS]),
    sequence: Type.Integer({ description: "The number of entries that the chain had." }),
    head_hash: Type.String(),
    time: Timestamp,
    prev_checkpoint_hash: Type.String(),
    checkpoint_hash: Type.String({
      description:
        "SHA-256 of the canonical JSON (RFC 8785) of tenant_id, chain, sequence, head_hash, time and prev_checkpoint_hash.",
    }),
    key_id: Type.String({ description: "The id of the key in `/.well-known/jwks.json`." }),
    signature: Type.String({
      description: "Ed25519 over the text of `checkpoint_hash`, base64url.",
    }),
    anchored_at: Nullable(Timestamp),
    reference: Nullable(Type.String()),
  },
  { $id: "AuditCheckpoint" },
);

export function presentAuditCheckpoint(
  checkpoint: StoredCheckpoint,
): Static<typeof AuditCheckpointResource> {
  return {
    object: "audit_checkpoint",
    tenant_id: checkpoint.tenantId,
    chain: checkpoint.chain,
    sequence: checkpoint.sequence,
    head_hash: checkpoint.headHash,
    time: checkpoint.time,
    prev_checkpoint_hash: checkpoint.prevCheckpointHash,
    checkpoint_hash: checkpoint.checkpointHash,
    key_id: checkpoint.keyId,
    signature: checkpoint.signature,
    anchored_at: checkpoint.anchoredAt?.toISOString() ?? null,
    reference: checkpoint.reference,
  };
}
