import type { JsonWebKey } from "node:crypto";
import {
  type AuditCheckpoint,
  type ChainName,
  createCheckpointCheck,
  type Head,
  type RejectedCheckpoint,
} from "./audit-checkpoints.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { sha256Hex } from "./signing.ts";

export interface VerifyAuditOptions {
  /**
   * What the export is held against, in any order: taken from the anchor, or kept from an earlier visit. Those that the
   * service gives out together with the export prove only that it still has its signing key.
   */
  readonly checkpoints: Iterable<AuditCheckpoint>;
  /** The keys that you trust to sign for the service (a JWKS). No name of a key in a checkpoint can add one. */
  readonly publicKeys: { readonly keys: readonly JsonWebKey[] };
  /** Whose chain it has to be. By default that of the first line. */
  readonly expectedTenant?: string;
  /** Which of the tenant's chains. By default that of the first line. */
  readonly expectedChain?: string;
}

export interface AuditBreak {
  /** The place of the entry that is not as it ought to be. */
  readonly sequence: number;
  /** `unreadable`: the line is not the canonical JSON of an entry. `other_chain`: it is an entry of another chain. */
  readonly reason:
    | "unreadable"
    | "other_chain"
    | "sequence_gap"
    | "prev_hash_mismatch"
    | "hash_mismatch";
  readonly expected: string | null;
  readonly actual: string | null;
}

export interface AuditExportFindings {
  /** Whether nothing is wrong, below the newest checkpoint and above it. What lies above it nobody has vouched for. */
  readonly valid: boolean;
  readonly entriesChecked: number;
  readonly headHash: string;
  readonly brokenAt: AuditBreak | null;
  /** The first checkpoint that is not genuine, not linked to the one before it, or not of this chain as it stands. */
  readonly rejectedCheckpoint: RejectedCheckpoint | null;
  /** The newest place that a checkpoint vouches for, and how many entries lie above it. */
  readonly anchored: {
    readonly sequence: number;
    readonly hash: string;
    readonly unanchoredEntries: number;
  };
  /** Whether a checkpoint knows of entries that are not there. */
  readonly truncationDetected: boolean;
}

/** Where every chain begins: the `prev_hash` of its first entry. */
const GENESIS: Head = { sequence: 0, hash: "0".repeat(64) };
/** Far more than any line of the service's. */
const LINE_LENGTH_MAX = 4_194_304;

interface Entry extends Head {
  readonly prevHash: string;
  readonly tenantId: string;
  readonly chain: string;
  /** What its content comes to, whatever it says itself. */
  readonly computedHash: string;
}

/**
 * Verifies an export without the service: computes every hash again from what the lines say, follows the links from the
 * first entry on, and holds the chain against signed checkpoints. Lines are taken as they are; one that is not canonical
 * (a member twice, a number written otherwise, space) is refused, since two readers could read two things in it.
 *
 * @param lines the export's lines in their order, without their ends
 */
export async function verifyAuditExport(
  lines: Iterable<string> | AsyncIterable<string>,
  { checkpoints, publicKeys, expectedTenant, expectedChain }: VerifyAuditOptions,
): Promise<AuditExportFindings> {
  const check = createCheckpointCheck(checkpoints, publicKeys.keys);
  // The first line settles what is not expected.
  let chain: ChainName = { tenantId: expectedTenant, chain: expectedChain };
  let head = GENESIS;
  let brokenAt: AuditBreak | null = null;
  for await (const line of lines) {
    const entry = readEntry(line);
    brokenAt = findBreak(head, chain, entry);
    if (entry === undefined || brokenAt !== null) break;
    chain = { tenantId: entry.tenantId, chain: entry.chain };
    head = { sequence: entry.sequence, hash: entry.hash };
    check.pass(head);
  }
  const { anchored = GENESIS, rejected, truncated } = check.end(chain, head);
  return {
    valid: brokenAt === null && rejected === null && !truncated,
    entriesChecked: head.sequence,
    headHash: head.hash,
    brokenAt,
    rejectedCheckpoint: rejected,
    anchored: { ...anchored, unanchoredEntries: head.sequence - anchored.sequence },
    // Behind a break nothing was looked at, so nothing is known to be missing there.
    truncationDetected: truncated && brokenAt === null,
  };
}

function findBreak(before: Head, expected: ChainName, entry: Entry | undefined): AuditBreak | null {
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

/** Undefined for what is no entry in its canonical form. */
function readEntry(line: string): Entry | undefined {
  if (line.length > LINE_LENGTH_MAX) return undefined;
  try {
    const parsed: Readonly<Record<string, Json>> = JSON.parse(line);
    if (canonicalJson(parsed) !== line) return undefined;
    const { hash, ...said } = parsed;
    const { sequence, prev_hash: prevHash, tenant_id: tenantId, chain } = said;
    if (typeof sequence !== "number" || !Number.isSafeInteger(sequence)) return undefined;
    const texts = { hash, prevHash, tenantId, chain };
    if (!hasOnlyTexts(texts)) return undefined;
    return { ...texts, sequence, computedHash: sha256Hex(canonicalJson(said)) };
  } catch {
    // Not JSON, or without a canonical form, or nested deeper than the stack.
    return undefined;
  }
}

function hasOnlyTexts<Name extends string>(
  values: Readonly<Record<Name, Json | undefined>>,
): values is Readonly<Record<Name, string>> {
  return Object.values(values).every((value) => typeof value === "string");
}
