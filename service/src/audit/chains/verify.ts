import type { StatementSigner } from "../../crypto/statement-signer.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { AuditId } from "../../foundation/ids.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { findAnchoredSequence } from "../checkpoints/queries.ts";
import { hasValidSignature } from "../checkpoints/signed-checkpoint.ts";
import { type ChainedEntry, listChainedEntries } from "../entries/queries.ts";
import { auditHash, type ChainHead, GENESIS } from "./chain.ts";
import { chainEntriesIfPossible } from "./chain-pending-entries.ts";
import {
  auditHeadRows,
  auditLinkRows,
  type ChainKey,
  findDeletedPendingEntry,
  findLastChainedEntry,
  findUnchainedEntry,
} from "./queries.ts";

const ENTRIES_PER_CHECK = 1_000;

export interface ChainBreak {
  readonly sequence: number;
  readonly reason: "hash_mismatch" | "prev_hash_mismatch" | "sequence_gap" | "missing_entry";
  readonly expected: string | null;
  readonly actual: string | null;
}

interface AnchorVerification {
  readonly status: "matched" | "mismatch" | "pending" | "unavailable";
  readonly checkpoint: SignedCheckpoint | null;
  readonly reference: string | null;
  readonly unanchoredEntries: number;
  /** Whether the anchor's checkpoint covers entries that the chain no longer has. */
  readonly truncated: boolean;
}

export interface ChainVerification {
  /** Null if the chain itself has no break but the anchor is unavailable. */
  readonly valid: boolean | null;
  readonly entriesChecked: number;
  /** The sequence number of the first entry checked. */
  readonly firstSequence: number;
  readonly headHash: string;
  readonly brokenAt: ChainBreak | null;
  readonly anchor: AnchorVerification;
  readonly checkedAt: Date;
}

export interface VerifyAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: StatementSigner;
  readonly auditAnchor: AuditAnchor;
}

/** Where a verification starts: at the chain's first entry or at the anchor's newest checkpoint. */
export type VerifyFrom = "start" | "checkpoint";

/**
 * Recomputes a chain from its entries and compares it with the anchor's newest checkpoint. First adds pending entries,
 * so that all committed entries are checked. If `since` is `checkpoint` but the checkpoint does not match the chain,
 * checks the whole chain.
 */
export async function verifyChain(
  access: VerifyAccess,
  key: ChainKey,
  since: VerifyFrom = "start",
): Promise<ChainVerification> {
  const chainingError = await chainEntriesIfPossible(access.db, key);
  const anchorAtStart = since === "checkpoint" ? await checkAnchor(access, key) : undefined;
  const anchoredStart = anchorAtStart && (await findAnchoredStart(access.db, key, anchorAtStart));
  const start = anchoredStart ?? CHAIN_START;
  const { end, brokenAt } = await findBreak(access.db, key, start);
  if (brokenAt === null && chainingError !== undefined) throw chainingError;

  const anchor = anchorAtStart ?? (await checkAnchor(access, key));
  const intact = brokenAt === null && anchor.status !== "mismatch";
  return {
    valid: intact && anchor.status === "unavailable" ? null : intact,
    entriesChecked: end.sequence - start.before.sequence,
    firstSequence: start.before.sequence + 1,
    headHash: end.hash,
    brokenAt,
    anchor,
    checkedAt: access.clock.now(),
  };
}

interface StartingPoint {
  /** The entry before the first one that is checked. */
  readonly before: ChainHead;
  /** Only entries with a higher id are searched for one that is missing from the chain. */
  readonly afterAuditId: string;
}

const CHAIN_START: StartingPoint = { before: GENESIS, afterAuditId: "" };

/**
 * Returns the starting point for verifying a chain from the last entry that the checkpoint covers. Returns undefined if
 * the checkpoint does not match the chain.
 */
async function findAnchoredStart(
  db: Db,
  key: ChainKey,
  { status, checkpoint }: AnchorVerification,
): Promise<StartingPoint | undefined> {
  if (status !== "matched" || checkpoint === null) return undefined;
  const lastSequence = checkpoint.sequence;
  const range = { afterSequence: lastSequence - 1, lastSequence, limit: 1 };
  const [entry] = await listChainedEntries(db, key, range);
  if (entry === undefined) return undefined;
  const before = { sequence: lastSequence - 1, hash: entry.prevHash };
  return { before, afterAuditId: entry.auditId };
}

async function findBreak(db: Db, key: ChainKey, { before, afterAuditId }: StartingPoint) {
  const { end, brokenAt } = await walkChain(db, key, before);
  return { end, brokenAt: brokenAt ?? (await findBreakAtEnd(db, key, end, afterAuditId)) };
}

/** Detects a head that does not match the chain's last entry, and stored entries that the chain does not contain. */
async function findBreakAtEnd(db: Db, key: ChainKey, end: ChainHead, afterAuditId: string): Promise<ChainBreak | null> {
  const head = (await auditHeadRows.find(db, key)) ?? GENESIS;
  const sequence = end.sequence + 1;
  if (head.sequence < end.sequence || (head.sequence === end.sequence && head.hash !== end.hash)) {
    return {
      sequence: end.sequence,
      reason: "hash_mismatch",
      expected: end.hash,
      actual: head.hash,
    };
  }
  // The head can be newer than the last entry read, because another process may have added entries in the meantime. A
  // newer head is a break only if the next entry does not exist.
  if (head.sequence > end.sequence && (await auditLinkRows.find(db, { ...key, sequence })) === undefined) {
    return { sequence, reason: "missing_entry", expected: head.hash, actual: null };
  }
  const lost = await findLostEntry(db, key, afterAuditId);
  return lost === undefined ? null : { sequence, reason: "missing_entry", expected: lost, actual: null };
}

async function findLostEntry(db: Db, key: ChainKey, startAuditId: string): Promise<AuditId | undefined> {
  let afterAuditId = startAuditId;
  for (;;) {
    const range = { afterAuditId, limit: ENTRIES_PER_CHECK };
    const { unlinked, lastAuditId } = await findUnchainedEntry(db, key, range);
    if (unlinked !== null) return unlinked;
    if (lastAuditId === null) return findDeletedPendingEntry(db, key);
    afterAuditId = lastAuditId;
  }
}

async function checkAnchor({ db, signer, auditAnchor }: VerifyAccess, key: ChainKey): Promise<AnchorVerification> {
  // The database records the last anchored sequence number. Without tampering, the anchor's checkpoint has at least
  // this number, and the chain's last entry has at least the checkpoint's number. The three numbers are read in this
  // order, so that entries and checkpoints added in the meantime do not look like tampering.
  const recordedSequence = (await findAnchoredSequence(db, key)) ?? 0;
  const result = await auditAnchor.latest(key.tenantId, key.chain).then(
    (anchored) => ({ anchored }),
    () => undefined,
  );
  const last = (await findLastChainedEntry(db, key)) ?? GENESIS;
  const findings = (
    status: AnchorVerification["status"],
    rest: Partial<AnchorVerification> = {},
  ): AnchorVerification => ({
    status,
    checkpoint: null,
    reference: null,
    unanchoredEntries: last.sequence,
    truncated: false,
    ...rest,
  });
  if (result === undefined) return findings("unavailable");
  if (result.anchored === undefined) {
    return findings(recordedSequence === 0 ? "pending" : "mismatch");
  }

  const { checkpoint, reference } = result.anchored;
  if (!hasValidSignature(signer, checkpoint)) return findings("mismatch", { checkpoint, reference });
  const matches =
    checkpoint.sequence >= recordedSequence &&
    (await auditLinkRows.find(db, { ...key, sequence: checkpoint.sequence }))?.hash === checkpoint.headHash;
  return findings(matches ? "matched" : "mismatch", {
    checkpoint,
    reference,
    unanchoredEntries: Math.max(0, last.sequence - checkpoint.sequence),
    truncated: checkpoint.sequence > last.sequence,
  });
}

interface WalkResult {
  /** The last entry before the first break, or the chain's last entry if there is no break. */
  readonly end: ChainHead;
  readonly brokenAt: ChainBreak | null;
}

/** Recomputes a chain's hashes page by page, starting after a verified entry and ending at the first break. */
export async function walkChain(db: Db, key: ChainKey, from: ChainHead): Promise<WalkResult> {
  let end = from;
  for (;;) {
    const page = await listChainedEntries(db, key, {
      afterSequence: end.sequence,
      limit: ENTRIES_PER_CHECK,
    });
    for (const entry of page) {
      const brokenAt = breakBetween(end, entry);
      if (brokenAt !== null) return { end, brokenAt };
      end = { sequence: entry.sequence, hash: entry.hash };
    }
    if (page.length < ENTRIES_PER_CHECK) return { end, brokenAt: null };
  }
}

function breakBetween(before: ChainHead, entry: ChainedEntry): ChainBreak | null {
  const { sequence, prevHash, hash, record } = entry;
  const broken = (reason: ChainBreak["reason"], expected: string | null, actual: string | null): ChainBreak => ({
    sequence: before.sequence + 1,
    reason,
    expected,
    actual,
  });

  if (sequence !== before.sequence + 1) {
    return broken("sequence_gap", String(before.sequence + 1), String(sequence));
  }
  if (record === null) return broken("missing_entry", entry.auditId, null);
  if (prevHash !== before.hash) return broken("prev_hash_mismatch", before.hash, prevHash);
  const expected = auditHash(record, { sequence, prevHash });
  return expected === hash ? null : broken("hash_mismatch", expected, hash);
}
