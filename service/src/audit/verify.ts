import type { StatementSigner } from "../crypto/statement-signer.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../foundation/clock.ts";
import type { AuditAnchor, SignedCheckpoint } from "../ports/audit-anchor.ts";
import { auditHash, GENESIS_HASH } from "./chain.ts";
import { checkpointHashOf } from "./checkpoint.ts";
import { linkPending } from "./link-pending.ts";
import {
  type ChainHead,
  type ChainKey,
  countUnlinkedEntries,
  findHead,
  findLastAnchoring,
  findLinkHash,
  type LinkedEntry,
  listLinkedEntries,
} from "./queries.ts";

export interface BrokenAt {
  readonly sequence: number;
  readonly reason: "hash_mismatch" | "prev_hash_mismatch" | "sequence_gap" | "missing_entry";
  readonly expected: string | null;
  readonly actual: string | null;
}

export interface AnchorFindings {
  readonly status: "matched" | "mismatch" | "pending" | "unavailable";
  readonly checkpoint: SignedCheckpoint | null;
  readonly reference: string | null;
  readonly unanchoredEntries: number;
  /** Whether the anchor knows of entries that the chain no longer has. */
  readonly truncated: boolean;
}

export interface ChainFindings {
  /** Null when the anchor could not be asked: what it would have said is not known. */
  readonly valid: boolean | null;
  readonly entriesChecked: number;
  readonly headHash: string;
  readonly brokenAt: BrokenAt | null;
  readonly anchor: AnchorFindings;
  readonly checkedAt: Date;
}

export interface VerifyAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: StatementSigner;
  readonly auditAnchor: AuditAnchor;
}

const PAGE_SIZE = 1_000;

/**
 * Recomputes a chain from its entries and compares it with what the anchor remembers. What is pending is linked first, so
 * the caller's own last change is among what is checked.
 */
export async function verifyChain(access: VerifyAccess, key: ChainKey): Promise<ChainFindings> {
  await linkPending(access.db, key);
  const walked = await walkChain(access.db, key);
  const anchor = await askAnchor(access, key, walked.head);
  const sound = walked.brokenAt === null && anchor.status !== "mismatch";
  return {
    valid: sound && anchor.status === "unavailable" ? null : sound,
    entriesChecked: walked.entriesChecked,
    headHash: walked.head.hash,
    brokenAt: walked.brokenAt,
    anchor,
    checkedAt: access.clock.now(),
  };
}

interface Walk {
  readonly head: ChainHead;
  readonly entriesChecked: number;
  readonly brokenAt: BrokenAt | null;
}

/** Goes along the chain page by page, as far as it is whole. */
async function walkChain(db: Db, key: ChainKey): Promise<Walk> {
  let head: ChainHead = { sequence: 0, hash: GENESIS_HASH };
  for (;;) {
    const page = await listLinkedEntries(db, key, {
      afterSequence: head.sequence,
      limit: PAGE_SIZE,
    });
    for (const entry of page) {
      const brokenAt = findBreak(head, entry);
      if (brokenAt !== null) return { head, entriesChecked: head.sequence, brokenAt };
      head = { sequence: entry.sequence, hash: entry.hash };
    }
    if (page.length < PAGE_SIZE) break;
  }
  return { head, entriesChecked: head.sequence, brokenAt: await findBreakAtEnd(db, key, head) };
}

function findBreak(before: ChainHead, entry: LinkedEntry): BrokenAt | null {
  const { sequence, prevHash, hash, record } = entry;
  const broken = (
    reason: BrokenAt["reason"],
    expected: string | null,
    actual: string | null,
  ): BrokenAt => ({ sequence: before.sequence + 1, reason, expected, actual });

  if (sequence !== before.sequence + 1) {
    return broken("sequence_gap", String(before.sequence + 1), String(sequence));
  }
  if (record === null) return broken("missing_entry", entry.auditId, null);
  if (prevHash !== before.hash) return broken("prev_hash_mismatch", before.hash, prevHash);
  const expected = auditHash(record, { sequence, prevHash });
  return expected === hash ? null : broken("hash_mismatch", expected, hash);
}

/** A tail that was cut off leaves a head that points past the end, or entries that stand in no link. */
async function findBreakAtEnd(db: Db, key: ChainKey, end: ChainHead): Promise<BrokenAt | null> {
  const head = (await findHead(db, key)) ?? { sequence: 0, hash: GENESIS_HASH };
  const sequence = end.sequence + 1;
  if (head.sequence < end.sequence || (head.sequence === end.sequence && head.hash !== end.hash)) {
    return {
      sequence: end.sequence,
      reason: "hash_mismatch",
      expected: end.hash,
      actual: head.hash,
    };
  }
  // A head that has moved on since the walk is no break: its entries are there, only not among those that were read.
  if (head.sequence > end.sequence && (await findLinkHash(db, key, sequence)) === undefined) {
    return { sequence, reason: "missing_entry", expected: head.hash, actual: null };
  }
  const unlinked = await countUnlinkedEntries(db, key);
  if (unlinked > 0n) {
    return { sequence, reason: "missing_entry", expected: null, actual: `${unlinked} unlinked` };
  }
  return null;
}

async function askAnchor(
  { db, signer, auditAnchor }: VerifyAccess,
  key: ChainKey,
  head: ChainHead,
): Promise<AnchorFindings> {
  const findings = (
    status: AnchorFindings["status"],
    rest: Partial<AnchorFindings> = {},
  ): AnchorFindings => ({
    status,
    checkpoint: null,
    reference: null,
    unanchoredEntries: head.sequence,
    truncated: false,
    ...rest,
  });

  const asked = await auditAnchor.latest(key.tenantId, key.chain).then(
    (answer) => ({ answer }),
    () => undefined,
  );
  if (asked === undefined) return findings("unavailable");
  if (asked.answer === undefined) {
    const remembered = await findLastAnchoring(db, key);
    return findings(remembered === undefined ? "pending" : "mismatch");
  }

  const { checkpoint, reference } = asked.answer;
  const found = { checkpoint, reference };
  if (checkpoint.sequence > head.sequence)
    return findings("mismatch", { ...found, truncated: true });
  const matches =
    isGenuine(signer, checkpoint) &&
    (await findLinkHash(db, key, checkpoint.sequence)) === checkpoint.headHash;
  const unanchoredEntries = head.sequence - checkpoint.sequence;
  return findings(matches ? "matched" : "mismatch", { ...found, unanchoredEntries });
}

function isGenuine(signer: StatementSigner, checkpoint: SignedCheckpoint): boolean {
  return (
    checkpointHashOf(checkpoint) === checkpoint.checkpointHash &&
    signer.verify(checkpoint.checkpointHash, checkpoint.signature)
  );
}
