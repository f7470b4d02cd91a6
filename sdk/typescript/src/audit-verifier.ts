import {
  type AuditCheckpoint,
  type ChainPosition,
  createCheckpointVerifier,
  type ExpectedChain,
  type RejectedCheckpoint,
} from "./audit-checkpoints.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { sha256Hex } from "./crypto/hash.ts";
import type { TrustedKeys } from "./statements/trusted-keys.ts";

export interface VerifyAuditOptions {
  /**
   * Checkpoints to compare the export with, in any order. Use checkpoints from the audit anchor or from an earlier
   * export (docs/api.md, section 14.2). Checkpoints that the server returns together with this export prove only that
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
  const checkpointVerifier = await createCheckpointVerifier(checkpoints, publicKeys.keys);
  // If the caller does not specify the tenant or the chain, the first entry determines it.
  let chain: ExpectedChain = { tenantId: expectedTenant, chain: expectedChain };
  let head = GENESIS;
  let brokenAt: AuditBreak | null = null;
  for await (const line of lines) {
    const entry = await parseEntry(line);
    brokenAt = findBreak(head, chain, entry);
    if (entry === undefined || brokenAt !== null) break;
    chain = { tenantId: entry.tenantId, chain: entry.chain };
    head = { sequence: entry.sequence, hash: entry.hash };
    checkpointVerifier.addEntry(head);
  }
  const { anchored = GENESIS, rejected, truncated } = await checkpointVerifier.finish(chain, head);
  return {
    valid: brokenAt === null && rejected === null && !truncated,
    entriesChecked: head.sequence,
    headHash: head.hash,
    brokenAt,
    rejectedCheckpoint: rejected,
    anchored: { ...anchored, unanchoredEntries: head.sequence - anchored.sequence },
    // Entries after an invalid entry are not read, so a missing end cannot be detected.
    truncationDetected: truncated && brokenAt === null,
  };
}

function findBreak(before: ChainPosition, expected: ExpectedChain, entry: Entry | undefined): AuditBreak | null {
  const sequence = before.sequence + 1;
  const broken = (reason: AuditBreak["reason"], wanted: string | null, actual: string | null) => ({
    sequence,
    reason,
    expected: wanted,
    actual,
  });
  if (entry === undefined) return broken("unreadable", null, null);
  if (expected.tenantId !== undefined && entry.tenantId !== expected.tenantId) {
    return broken("other_chain", expected.tenantId, entry.tenantId);
  }
  if (expected.chain !== undefined && entry.chain !== expected.chain) {
    return broken("other_chain", expected.chain, entry.chain);
  }
  if (entry.sequence !== sequence) {
    return broken("sequence_gap", String(sequence), String(entry.sequence));
  }
  if (entry.prevHash !== before.hash) {
    return broken("prev_hash_mismatch", before.hash, entry.prevHash);
  }
  if (entry.hash !== entry.computedHash) {
    return broken("hash_mismatch", entry.computedHash, entry.hash);
  }
  return null;
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
