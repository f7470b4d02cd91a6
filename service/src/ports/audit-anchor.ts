import type { TenantId } from "../foundation/ids.ts";
import type { AuditChain } from "../foundation/vocabulary.ts";

/** A signed record of an audit chain's entry count and head hash at `time`. Contains the previous checkpoint's hash. */
export interface SignedCheckpoint {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
  readonly sequence: number;
  readonly headHash: string;
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly prevCheckpointHash: string;
  /** SHA-256 of the canonical JSON of the fields above. */
  readonly checkpointHash: string;
  readonly keyId: string;
  /** Ed25519 signature of the `checkpointHash` string, base64url. */
  readonly signature: string;
}

/**
 * Stores checkpoints outside the database, so that an attacker with write access to the database cannot change them.
 */
export interface AuditAnchor {
  readonly type: "signed_checkpoint";
  /** Stores the checkpoint permanently and returns its location. Publishing the same checkpoint twice is harmless. */
  publish(checkpoint: SignedCheckpoint): Promise<string>;
  /**
   * Returns the chain's newest published checkpoint and its location, or undefined if there is none. Rejects if the
   * anchor does not respond.
   */
  latest(
    tenantId: TenantId,
    chain: AuditChain,
  ): Promise<{ readonly checkpoint: SignedCheckpoint; readonly reference: string } | undefined>;
}
