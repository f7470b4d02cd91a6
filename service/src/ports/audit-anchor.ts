import { type Static, Type } from "typebox";
import type { BlockchainNetwork } from "../foundation/blockchain-networks.ts";
import type { TenantId } from "../foundation/ids.ts";
import { AUDIT_CHAINS, type AuditChain } from "../foundation/vocabulary.ts";

/** A signed record of an audit chain's entry count and head hash at `time`. Contains the previous checkpoint's hash. */
export const SignedCheckpoint = Type.Object({
  tenantId: Type.Unsafe<TenantId>(Type.String()),
  chain: Type.Enum([...AUDIT_CHAINS]),
  sequence: Type.Integer(),
  headHash: Type.String(),
  /** RFC 3339, UTC. */
  time: Type.String(),
  prevCheckpointHash: Type.String(),
  /** SHA-256 of the canonical JSON of the fields above. */
  checkpointHash: Type.String(),
  keyId: Type.String(),
  /** Ed25519 signature of the `checkpointHash` string, base64url. */
  signature: Type.String(),
});
export type SignedCheckpoint = Readonly<Static<typeof SignedCheckpoint>>;

/**
 * Stores checkpoints outside the database, so that an attacker with write access to the database cannot change them.
 */
export interface AuditAnchor {
  readonly type: "signed_checkpoint";
  /** How long it takes until a checkpoint is stored permanently, in milliseconds. Default: 0. */
  readonly delayMs?: number;
  /** The address that pays for checkpoints on a network. */
  readonly payer?: { readonly network: BlockchainNetwork; readonly address: string };
  /**
   * Stores the checkpoint permanently and returns its location. Publishing the same checkpoint twice is harmless. Can reject one that
   * is older than the chain's newest.
   */
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
