import type { AuditCheckpoint as ApiAuditCheckpoint } from "./api-types.ts";
import { canonicalJson } from "./canonical-json.ts";
import { sha256Hex, type WebCryptoKey } from "./crypto/hash.ts";
import { ed25519KeysById, isSignedBy, type TrustedKey } from "./statements/trusted-keys.ts";

type AnchorField = "object" | "anchored_at" | "reference";

/**
 * A signed statement of an audit chain's entry count and latest hash at a point in time (docs/api.md, section 14.2).
 */
export type AuditCheckpoint = Omit<ApiAuditCheckpoint, AnchorField | "chain"> &
  Partial<Pick<ApiAuditCheckpoint, AnchorField>> & { readonly chain: string };

export interface RejectedCheckpoint {
  readonly sequence: number;
  /**
   * `not_linked`: `prev_checkpoint_hash` is not the hash of the given checkpoint with the next lower sequence number.
   * `head_mismatch`: the hash of the chain's entry at `sequence` is not `head_hash`.
   */
  readonly reason: "malformed" | "unknown_key" | "bad_signature" | "other_chain" | "not_linked" | "head_mismatch";
}

/** An entry's sequence number and hash. */
export interface ChainPosition {
  readonly sequence: number;
  readonly hash: string;
}

export interface CheckpointResult {
  /** The newest entry that a valid checkpoint confirms. Undefined if there is none. */
  readonly anchored: ChainPosition | undefined;
  readonly rejected: RejectedCheckpoint | null;
  /** Whether a valid checkpoint has a higher sequence number than the chain's last entry. */
  readonly truncated: boolean;
}

/** The tenant and chain that all entries and checkpoints must belong to. An undefined field accepts any value. */
export interface ExpectedChain {
  readonly tenantId: string | undefined;
  readonly chain: string | undefined;
}

/** Compares an audit chain with checkpoints while the chain is being read. */
export interface CheckpointVerifier {
  /** Records an entry whose hashes and position in the chain are valid. */
  addEntry(head: ChainPosition): void;
  /** Compares the checkpoints with the recorded entries. `head` is the last recorded entry. */
  finish(chain: ExpectedChain, head: ChainPosition): Promise<CheckpointResult>;
}

export async function createCheckpointVerifier(
  checkpoints: Iterable<AuditCheckpoint>,
  publicKeys: readonly TrustedKey[],
): Promise<CheckpointVerifier> {
  const sortedCheckpoints = [...checkpoints].sort((a, b) => a.sequence - b.sequence);
  const keys = await ed25519KeysById(publicKeys);
  const statedSequences = new Set(sortedCheckpoints.map(({ sequence }) => sequence));
  const hashes = new Map<number, string>();
  return {
    addEntry: ({ sequence, hash }) => {
      if (statedSequences.has(sequence)) hashes.set(sequence, hash);
    },
    finish: async (chain, head) => {
      const contents = { chain, head, hashes };
      let result: CheckpointResult = { anchored: undefined, rejected: null, truncated: false };
      let before: AuditCheckpoint | undefined;
      for (const checkpoint of sortedCheckpoints) {
        const { sequence, head_hash: hash } = checkpoint;
        const reason = (await checkSignature(checkpoint, keys)) ?? checkPosition(checkpoint, before, contents);
        if (reason !== undefined) return { ...result, rejected: { sequence, reason } };
        const isBehind = sequence > head.sequence;
        result = {
          ...result,
          ...(isBehind ? { truncated: true } : { anchored: { sequence, hash } }),
        };
        before = checkpoint;
      }
      return result;
    },
  };
}

type Reason = RejectedCheckpoint["reason"];

/** Returns the reason why the checkpoint is not signed by a trusted key, or undefined if it is. */
async function checkSignature(
  checkpoint: AuditCheckpoint,
  keys: ReadonlyMap<string, WebCryptoKey>,
): Promise<Reason | undefined> {
  const { tenant_id, chain, sequence, head_hash, time, prev_checkpoint_hash } = checkpoint;
  const texts = { tenant_id, chain, head_hash, time, prev_checkpoint_hash };
  const { checkpoint_hash, key_id, signature } = checkpoint;
  const isText = (value: unknown) => typeof value === "string" && value.isWellFormed();
  const strings = [...Object.values(texts), checkpoint_hash, key_id, signature];
  if (!strings.every(isText) || !Number.isSafeInteger(sequence) || sequence < 1) return "malformed";

  const key = keys.get(key_id);
  if (key === undefined) return "unknown_key";
  const isOwnHash = (await sha256Hex(canonicalJson({ ...texts, sequence }))) === checkpoint_hash;
  const isSigned = await isSignedBy(key, signature, checkpoint_hash);
  return isOwnHash && isSigned ? undefined : "bad_signature";
}

interface ChainContents {
  readonly chain: ExpectedChain;
  readonly head: ChainPosition;
  /** The hashes of the entries for which a checkpoint exists, by sequence number. */
  readonly hashes: ReadonlyMap<number, string>;
}

/** Returns the reason why the checkpoint does not match the chain, or undefined if it does. */
function checkPosition(
  { tenant_id, chain, sequence, head_hash, prev_checkpoint_hash }: AuditCheckpoint,
  before: AuditCheckpoint | undefined,
  contents: ChainContents,
): Reason | undefined {
  const isOf = (expected: string | undefined, name: string) => (expected ?? name) === name;
  if (!isOf(contents.chain.tenantId, tenant_id) || !isOf(contents.chain.chain, chain)) {
    return "other_chain";
  }
  // The oldest checkpoint can have any predecessor, because the caller may not have stored the earlier checkpoints.
  if (prev_checkpoint_hash !== (before?.checkpoint_hash ?? prev_checkpoint_hash)) return "not_linked";
  const isBehind = sequence > contents.head.sequence;
  return isBehind || contents.hashes.get(sequence) === head_hash ? undefined : "head_mismatch";
}
