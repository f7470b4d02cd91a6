import type { TenantId } from "../foundation/ids.ts";
import type { AuditChain } from "../foundation/vocabulary.ts";

/** A statement about a chain at one moment: it had this many entries and this head. Signed, and linked to the one before. */
export interface SignedCheckpoint {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly headHash: string;
  /** RFC 3339. */
  readonly time: string;
  readonly prevCheckpointHash: string;
  /** SHA-256 of the canonical JSON of the fields above. */
  readonly checkpointHash: string;
  readonly keyId: string;
  /** Ed25519 over `checkpointHash`'s text, base64url. */
  readonly signature: string;
}

/** A place outside the database, and outside the reach of whoever can write to it, that remembers checkpoints. */
export interface AuditAnchor {
  readonly type: "signed_checkpoint";
  /** Remembers the checkpoint for good. Publishing the same one again is harmless. Resolves to where it can be looked up. */
  publish(checkpoint: SignedCheckpoint): Promise<string>;
  /** The newest checkpoint of the chain that was published, with where it stands; undefined when there is none. Rejects when it cannot be asked. */
  latest(
    tenantId: TenantId,
    chain: AuditChain,
  ): Promise<{ readonly checkpoint: SignedCheckpoint; readonly reference: string } | undefined>;
}
