import type { AuditCheckpoint as ApiAuditCheckpoint } from "./api-types.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { sha256Hex, type WebCryptoKey } from "./crypto/hash.ts";
import { ed25519KeysById, isSignedBy, type TrustedKeys } from "./trusted-keys.ts";

type AnchorField = "object" | "anchored_at" | "reference";

/**
 * A signed statement of an audit chain's entry count and latest hash at a point in time (docs/rules/audit-trail.md).
 */
export type AuditCheckpoint = Omit<ApiAuditCheckpoint, AnchorField | "chain"> &
  Partial<Pick<ApiAuditCheckpoint, AnchorField>> & { readonly chain: string };

export interface VerifyAuditOptions {
  /**
   * Checkpoints to compare the export with, in any order. Use checkpoints from the audit anchor or from an earlier
   * export (docs/rules/audit-trail.md). Checkpoints that the server returns together with this export prove only that
   * the server still has its signing key.
   */
  readonly checkpoints: Iterable<AuditCheckpoint>;
  /** The server signing keys that you trust, as a JWKS of Ed25519 public keys. */
  readonly publicKeys: TrustedKeys;
  /** The tenant that all entries must belong to. Default: the tenant of the first entry. */
  readonly expectedTenant?: string;
  /** The chain that all entries must belong to, for example `tenant`. Default: the chain of the first entry. */
  readonly expectedChain?: string;
}

export interface AuditBreak {
  /** The sequence number of the first invalid entry. */
  readonly sequence: number;
  /**
   * `unreadable`: the line is not the canonical JSON of an entry. `other_chain`: the entry belongs to a different
   * tenant or chain.
   */
  readonly reason: "unreadable" | "other_chain" | "sequence_gap" | "prev_hash_mismatch" | "hash_mismatch";
  readonly expected: string | null;
  readonly actual: string | null;
}

export interface RejectedCheckpoint {
  readonly sequence: number;
  /**
   * `not_linked`: `prev_checkpoint_hash` is not the hash of the given checkpoint with the next lower sequence number.
   * `head_mismatch`: the hash of the chain's entry at `sequence` is not `head_hash`.
   */
  readonly reason: "malformed" | "unknown_key" | "bad_signature" | "other_chain" | "not_linked" | "head_mismatch";
}

export interface AuditExportVerification {
  /** Whether all checks passed. Even if true, entries after `anchored.sequence` are not confirmed by a checkpoint. */
  readonly valid: boolean;
  readonly entriesChecked: number;
  readonly headHash: string;
  readonly brokenAt: AuditBreak | null;
  /**
   * The first checkpoint that is not signed by a trusted key, is not linked to its predecessor or does not match the
   * chain.
   */
  readonly rejectedCheckpoint: RejectedCheckpoint | null;
  /** The newest entry that a checkpoint confirms, and the number of entries after it. */
  readonly anchored: {
    readonly sequence: number;
    readonly hash: string;
    readonly unanchoredEntries: number;
  };
  /** Whether a checkpoint proves that entries are missing at the end of the export. */
  readonly truncationDetected: boolean;
}

/** An entry's sequence number and hash. */
interface ChainPosition {
  readonly sequence: number;
  readonly hash: string;
}

/** The position before the first entry of a chain. Its hash is the first entry's `prev_hash`. */
const GENESIS: ChainPosition = { sequence: 0, hash: "0".repeat(64) };
/** Longer lines are rejected as `unreadable`. The lines of an export are much shorter. */
const LINE_MAX_CHARACTERS = 4_194_304;

interface Entry extends ChainPosition {
  readonly prevHash: string;
  readonly tenantId: string;
  readonly chain: string;
  /** The hash that this verifier computes from the entry's content. `hash` is the hash that the line contains. */
  readonly computedHash: string;
}

/** What has been read of a chain. The tenant and the chain are undefined until they are known. */
interface ReadChain {
  tenantId: string | undefined;
  chain: string | undefined;
  head: ChainPosition;
  /** The hashes of the entries for which a checkpoint exists, by sequence number. */
  readonly hashes: Map<number, string | undefined>;
}

/**
 * Verifies an audit export offline. Recomputes every hash, checks that each entry contains the hash of the previous
 * entry, and compares the chain with signed checkpoints. Rejects a line that is not canonical JSON (for example with
 * duplicate keys or extra whitespace), because two parsers could read it differently.
 *
 * @param lines the lines of `audit.export()` in order, without line breaks
 */
export async function verifyAuditExport(
  lines: Iterable<string> | AsyncIterable<string>,
  { checkpoints, publicKeys, expectedTenant, expectedChain }: VerifyAuditOptions,
): Promise<AuditExportVerification> {
  const sorted = [...checkpoints].sort((a, b) => a.sequence - b.sequence);
  const keys = await ed25519KeysById(publicKeys.keys);
  const hashes = new Map(sorted.map(({ sequence }) => [sequence, undefined]));
  // If the caller does not specify the tenant or the chain, the first entry determines it.
  const read: ReadChain = { tenantId: expectedTenant, chain: expectedChain, head: GENESIS, hashes };
  let brokenAt: AuditBreak | null = null;
  for await (const line of lines) {
    const entry = await parseEntry(line);
    brokenAt = findBreak(read, entry);
    if (entry === undefined || brokenAt !== null) break;
    Object.assign(read, { tenantId: entry.tenantId, chain: entry.chain, head: entry });
    if (hashes.has(entry.sequence)) read.hashes.set(entry.sequence, entry.hash);
  }
  const { anchored, rejected, truncated } = await compareCheckpoints(sorted, keys, read);
  return {
    valid: brokenAt === null && rejected === null && !truncated,
    entriesChecked: read.head.sequence,
    headHash: read.head.hash,
    brokenAt,
    rejectedCheckpoint: rejected,
    anchored: { ...anchored, unanchoredEntries: read.head.sequence - anchored.sequence },
    // Entries after an invalid entry are not read, so a missing end cannot be detected.
    truncationDetected: truncated && brokenAt === null,
  };
}

function findBreak({ head, tenantId, chain }: ReadChain, entry: Entry | undefined): AuditBreak | null {
  const sequence = head.sequence + 1;
  if (entry === undefined) return { sequence, reason: "unreadable", expected: null, actual: null };
  const checks: readonly [reason: AuditBreak["reason"], expected: string, actual: string][] = [
    ["other_chain", tenantId ?? entry.tenantId, entry.tenantId],
    ["other_chain", chain ?? entry.chain, entry.chain],
    ["sequence_gap", String(sequence), String(entry.sequence)],
    ["prev_hash_mismatch", head.hash, entry.prevHash],
    ["hash_mismatch", entry.computedHash, entry.hash],
  ];
  const broken = checks.find(([, expected, actual]) => expected !== actual);
  return broken ? { sequence, reason: broken[0], expected: broken[1], actual: broken[2] } : null;
}

/** Returns the entry, or undefined if the line is not the canonical JSON of an entry. */
async function parseEntry(line: string): Promise<Entry | undefined> {
  if (line.length > LINE_MAX_CHARACTERS) return undefined;
  try {
    const parsed: Readonly<Record<string, Json>> = JSON.parse(line);
    if (canonicalJson(parsed) !== line) return undefined;
    const { hash, ...content } = parsed;
    const { sequence, prev_hash: prevHash, tenant_id: tenantId, chain } = content;
    if (typeof sequence !== "number" || !Number.isSafeInteger(sequence)) return undefined;
    const texts = { hash, prevHash, tenantId, chain };
    if (!areAllStrings(texts)) return undefined;
    return { ...texts, sequence, computedHash: await sha256Hex(canonicalJson(content)) };
  } catch {
    // The line is not JSON, has no canonical form, or is nested too deeply for the call stack.
    return undefined;
  }
}

function areAllStrings<Name extends string>(
  values: Readonly<Record<Name, Json | undefined>>,
): values is Readonly<Record<Name, string>> {
  return Object.values(values).every((value) => typeof value === "string");
}

/** Compares the chain with the checkpoints, which are in the order of their sequence numbers. */
async function compareCheckpoints(
  checkpoints: readonly AuditCheckpoint[],
  keys: ReadonlyMap<string, WebCryptoKey>,
  read: ReadChain,
): Promise<{ anchored: ChainPosition; rejected: RejectedCheckpoint | null; truncated: boolean }> {
  let anchored = GENESIS;
  let truncated = false;
  let before: AuditCheckpoint | undefined;
  for (const checkpoint of checkpoints) {
    const { sequence, head_hash: hash } = checkpoint;
    const reason = (await checkSignature(checkpoint, keys)) ?? checkPosition(checkpoint, before, read);
    if (reason !== undefined) return { anchored, rejected: { sequence, reason }, truncated };
    if (sequence > read.head.sequence) truncated = true;
    else anchored = { sequence, hash };
    before = checkpoint;
  }
  return { anchored, rejected: null, truncated };
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
  return isOwnHash && (await isSignedBy(key, signature, checkpoint_hash)) ? undefined : "bad_signature";
}

/** Returns the reason why the checkpoint does not match the chain, or undefined if it does. */
function checkPosition(
  checkpoint: AuditCheckpoint,
  before: AuditCheckpoint | undefined,
  { tenantId, chain, head, hashes }: ReadChain,
): Reason | undefined {
  const { tenant_id, chain: name, sequence, head_hash, prev_checkpoint_hash } = checkpoint;
  if ((tenantId ?? tenant_id) !== tenant_id || (chain ?? name) !== name) return "other_chain";
  // The oldest checkpoint can have any predecessor, because the caller may not have stored the earlier checkpoints.
  if (before !== undefined && prev_checkpoint_hash !== before.checkpoint_hash) return "not_linked";
  return sequence > head.sequence || hashes.get(sequence) === head_hash ? undefined : "head_mismatch";
}
