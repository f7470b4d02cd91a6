import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import { sha256Hex } from "./signing.ts";

/** A signed statement that a chain had so many entries, and this head, at that time. */
export interface AuditCheckpoint {
  readonly object?: "audit_checkpoint";
  readonly tenant_id: string;
  readonly chain: string;
  readonly sequence: number;
  readonly head_hash: string;
  readonly time: string;
  readonly prev_checkpoint_hash: string;
  readonly checkpoint_hash: string;
  readonly key_id: string;
  readonly signature: string;
  readonly anchored_at?: string | null;
  readonly reference?: string | null;
}

export interface RejectedCheckpoint {
  readonly sequence: number;
  /** `not_linked`: it does not follow the one before it in the list. `head_mismatch`: the chain is another one at its place. */
  readonly reason:
    | "malformed"
    | "unknown_key"
    | "bad_signature"
    | "other_chain"
    | "not_linked"
    | "head_mismatch";
}

/** A place in a chain, and the hash of the entry there. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
}

export interface CheckpointFindings {
  /** The newest place that a checkpoint vouches for; undefined where none does. */
  readonly anchored: Head | undefined;
  readonly rejected: RejectedCheckpoint | null;
  /** Whether a genuine one knows of entries behind the chain's end. */
  readonly truncated: boolean;
}

/** Which chain a checkpoint has to be of. What is undefined was never settled. */
export interface ChainName {
  readonly tenantId: string | undefined;
  readonly chain: string | undefined;
}

/** Holds a chain against checkpoints, as it is gone through. */
export interface CheckpointCheck {
  /** An entry was found good. */
  pass(head: Head): void;
  /** The chain ends here, or is not good any further. */
  end(chain: ChainName, head: Head): CheckpointFindings;
}

export function createCheckpointCheck(
  checkpoints: Iterable<AuditCheckpoint>,
  publicKeys: readonly JsonWebKey[],
): CheckpointCheck {
  const inOrder = [...checkpoints].sort((a, b) => a.sequence - b.sequence);
  const keys = new Map(publicKeys.flatMap(namedKeys));
  const stated = new Set(inOrder.map(({ sequence }) => sequence));
  const hashes = new Map<number, string>();
  return {
    pass: ({ sequence, hash }) => {
      if (stated.has(sequence)) hashes.set(sequence, hash);
    },
    end: (chain, head) => {
      const place = { chain, head, hashes };
      let findings: CheckpointFindings = { anchored: undefined, rejected: null, truncated: false };
      let before: AuditCheckpoint | undefined;
      for (const checkpoint of inOrder) {
        const { sequence, head_hash: hash } = checkpoint;
        const reason = whyNotGenuine(checkpoint, keys) ?? whyNotHere(checkpoint, before, place);
        if (reason !== undefined) return { ...findings, rejected: { sequence, reason } };
        const isBehind = sequence > head.sequence;
        findings = {
          ...findings,
          ...(isBehind ? { truncated: true } : { anchored: { sequence, hash } }),
        };
        before = checkpoint;
      }
      return findings;
    },
  };
}

type Reason = RejectedCheckpoint["reason"];

/** Whether a key that is trusted signed what the checkpoint says, and nothing else. */
function whyNotGenuine(
  checkpoint: AuditCheckpoint,
  keys: ReadonlyMap<string, KeyObject>,
): Reason | undefined {
  const { tenant_id, chain, sequence, head_hash, time, prev_checkpoint_hash } = checkpoint;
  const texts = { tenant_id, chain, head_hash, time, prev_checkpoint_hash };
  const { checkpoint_hash, key_id, signature } = checkpoint;
  const isText = (value: unknown) => typeof value === "string" && value.isWellFormed();
  const said = [...Object.values(texts), checkpoint_hash, key_id, signature];
  if (!said.every(isText) || !Number.isSafeInteger(sequence) || sequence < 1) return "malformed";

  const key = keys.get(key_id);
  if (key === undefined) return "unknown_key";
  const isOwnHash = sha256Hex(canonicalJson({ ...texts, sequence })) === checkpoint_hash;
  const bytes = Buffer.from(signature, "base64url");
  const isSigned = verify(null, Buffer.from(checkpoint_hash), key, bytes);
  return isOwnHash && isSigned ? undefined : "bad_signature";
}

interface Place {
  readonly chain: ChainName;
  readonly head: Head;
  /** Of the entries that a checkpoint speaks of, by their place. */
  readonly hashes: ReadonlyMap<number, string>;
}

function whyNotHere(
  { tenant_id, chain, sequence, head_hash, prev_checkpoint_hash }: AuditCheckpoint,
  before: AuditCheckpoint | undefined,
  place: Place,
): Reason | undefined {
  const isOf = (expected: string | undefined, name: string) => (expected ?? name) === name;
  if (!isOf(place.chain.tenantId, tenant_id) || !isOf(place.chain.chain, chain)) {
    return "other_chain";
  }
  // The first may be any: whoever has kept only some of them has a run of them.
  if (prev_checkpoint_hash !== (before?.checkpoint_hash ?? prev_checkpoint_hash))
    return "not_linked";
  const isBehind = sequence > place.head.sequence;
  return isBehind || place.hashes.get(sequence) === head_hash ? undefined : "head_mismatch";
}

/** A key under the name that it has by itself; what it calls itself is not asked. */
function namedKeys(jwk: JsonWebKey): [keyId: string, key: KeyObject][] {
  if (jwk.kty !== "OKP" || jwk.crv !== "Ed25519") return [];
  const key = createPublicKey({ format: "jwk", key: jwk });
  return [[sha256Hex(Buffer.from(jwk.x ?? "", "base64url")).slice(0, 16), key]];
}
