import { type Static, Type } from "typebox";
import { AUDIT_CHAINS } from "../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../foundation/wire/fields.ts";
import { NamedObject } from "../../foundation/wire/named-object.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { StoredCheckpoint } from "./queries.ts";

/** A signed record of a chain's entry count and head hash at a given time (docs/api.md, section 14.2). */
export const AuditCheckpointResource = NamedObject("AuditCheckpoint", {
  object: Type.Literal("audit_checkpoint"),
  tenant_id: Type.String(),
  chain: Type.Enum([...AUDIT_CHAINS]),
  sequence: Type.Integer({
    description: "Number of entries in the chain when the checkpoint was created.",
  }),
  head_hash: Type.String({
    description: "The hash of the chain's newest entry when the checkpoint was created.",
  }),
  time: Timestamp,
  prev_checkpoint_hash: Type.String({
    description: "The `checkpoint_hash` of the previous checkpoint. 64 zeros for the first checkpoint.",
  }),
  checkpoint_hash: Type.String({
    description:
      "SHA-256 of the canonical JSON (RFC 8785) of `tenant_id`, `chain`, `sequence`, `head_hash`, `time` and `prev_checkpoint_hash`.",
  }),
  key_id: Type.String({
    description: "The `kid` of the signing key in `/.well-known/jwks.json`.",
  }),
  signature: Type.String({
    description: "Ed25519 signature over the text of `checkpoint_hash`, encoded as Base64url.",
  }),
  anchored_at: Nullable({
    ...Timestamp,
    description: "When the checkpoint was stored in the anchor, which is external storage. Null until then.",
  }),
  reference: Nullable(
    Type.String({
      description:
        "Location of the checkpoint in the anchor's storage. Null until the anchor has accepted the checkpoint.",
    }),
  ),
});

export function presentAuditCheckpoint(checkpoint: StoredCheckpoint): Static<typeof AuditCheckpointResource> {
  return toWire(AuditCheckpointResource, checkpoint);
}
