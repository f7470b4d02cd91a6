import type { StatementSigner } from "../../crypto/statement-signer.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { AuditId } from "../../foundation/ids.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { findAnchoredSequence } from "../checkpoints/queries.ts";
import { isGenuine } from "../checkpoints/signed-checkpoint.ts";
import { listChainedEntries } from "../entries/queries.ts";
import { type ChainHead, GENESIS } from "./chain.ts";
import { chainEntriesIfPossible } from "./chain-entries-if-possible.ts";
import {
  type ChainKey,
  checkChainHashes,
  findChainHash,
  findHead,
  findLastChainedEntry,
  findLostPendingEntry,
} from "./queries.ts";
import { type BrokenAt, walkChain } from "./walk-chain.ts";

const LINKS_CHECKED_AT_ONCE = 1_000;

interface AnchorFindings {
  readonly status: "matched" | "mismatch" | "pending" | "unavailable";
  readonly checkpoint: SignedCheckpoint | null;
  readonly reference: string | null;
  readonly unanchoredEntries: number;
  /** Whether the anchor has seen entries that the chain no longer has. */
  readonly truncated: boolean;
}

export interface ChainFindings {
  /** Null if the anchor is unavailable. */
  readonly valid: boolean | null;
  readonly entriesChecked: number;
  /** The place of the first entry that was checked. */
  readonly firstSequence: number;
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

/** The start of a verification: the chain's start, or the last checkpoint that the anchor has. */
export type VerifyFrom = "start" | "checkpoint";

/**
 * Recomputes a chain from its entries and compares it with the anchor's checkpoint. Links pending entries first, so that the
 * caller's own last change is checked too. Starts at the checkpoint only if it matches the chain. Otherwise no place is
 * known to be valid, and the whole chain is checked.
 */
export async function verifyChain(
  access: VerifyAccess,
  key: ChainKey,
  since: VerifyFrom = "start",
): Promise<ChainFindings> {
  const refusal = await chainEntriesIfPossible(access.db, key);
  const asked = since === "checkpoint" ? await askAnchor(access, key) : undefined;
  const place = (asked && (await findAnchoredPlace(access.db, key, asked))) ?? CHAIN_START;
  const { end, brokenAt } = await findWhatIsBroken(access.db, key, place);
  if (brokenAt === null && refusal !== undefined) throw refusal;

  const anchor = asked ?? (await askAnchor(access, key));
  const sound = brokenAt === null && anchor.status !== "mismatch";
  return {
    valid: sound && anchor.status === "unavailable" ? null : sound,
    entriesChecked: end.sequence - place.before.sequence,
    firstSequence: place.before.sequence + 1,
    headHash: end.hash,
    brokenAt,
    anchor,
    checkedAt: access.clock.now(),
  };
}

interface StartingPoint {
  /** The chain before the first entry that is checked. */
  readonly before: ChainHead;
  /** Entries up to this one are assumed to have links. */
  readonly afterAuditId: string;
}

const CHAIN_START: StartingPoint = { before: GENESIS, afterAuditId: "" };

/** The anchored entry itself is checked too: its hash must be the one that the anchor has. */
async function findAnchoredPlace(
  db: Db,
  key: ChainKey,
  { status, checkpoint }: AnchorFindings,
): Promise<StartingPoint | undefined> {
  if (status !== "matched" || checkpoint === null) return undefined;
  const lastSequence = checkpoint.sequence;
  const stretch = { afterSequence: lastSequence - 1, lastSequence, limit: 1 };
  const [link] = await listChainedEntries(db, key, stretch);
  if (link === undefined) return undefined;
  const before = { sequence: lastSequence - 1, hash: link.prevHash };
  return { before, afterAuditId: link.auditId };
}

async function findWhatIsBroken(db: Db, key: ChainKey, { before, afterAuditId }: StartingPoint) {
  const { end, brokenAt } = await walkChain(db, key, before);
  return { end, brokenAt: brokenAt ?? (await findBreakAtEnd(db, key, { end, afterAuditId })) };
}

/** A deleted tail leaves a head that points past the end, or entries without links. */
async function findBreakAtEnd(
  db: Db,
  key: ChainKey,
  { end, afterAuditId }: { readonly end: ChainHead; readonly afterAuditId: string },
): Promise<BrokenAt | null> {
  const head = (await findHead(db, key)) ?? GENESIS;
  const sequence = end.sequence + 1;
  if (head.sequence < end.sequence || (head.sequence === end.sequence && head.hash !== end.hash)) {
    return {
      sequence: end.sequence,
      reason: "hash_mismatch",
      expected: end.hash,
      actual: head.hash,
    };
  }
  // A head that moved since the walk is not a break: its entries exist, but were not read.
  if (head.sequence > end.sequence && (await findChainHash(db, key, sequence)) === undefined) {
    return { sequence, reason: "missing_entry", expected: head.hash, actual: null };
  }
  const lost = await findLostEntry(db, key, afterAuditId);
  return lost === undefined
    ? null
    : { sequence, reason: "missing_entry", expected: lost, actual: null };
}

async function findLostEntry(
  db: Db,
  key: ChainKey,
  startAuditId: string,
): Promise<AuditId | undefined> {
  let afterAuditId = startAuditId;
  for (;;) {
    const stretch = { afterAuditId, limit: LINKS_CHECKED_AT_ONCE };
    const { unlinked, lastAuditId } = await checkChainHashes(db, key, stretch);
    if (unlinked !== null) return unlinked;
    if (lastAuditId === null) return findLostPendingEntry(db, key);
    afterAuditId = lastAuditId;
  }
}

async function askAnchor(
  { db, signer, auditAnchor }: VerifyAccess,
  key: ChainKey,
): Promise<AnchorFindings> {
  // The order of these reads matters. Without tampering, the anchor's checkpoint is at or after the anchored sequence that
  // was read before it, and at or before the last link that is read after it.
  const noted = (await findAnchoredSequence(db, key)) ?? 0;
  const asked = await auditAnchor.latest(key.tenantId, key.chain).then(
    (answer) => ({ answer }),
    () => undefined,
  );
  const last = (await findLastChainedEntry(db, key)) ?? GENESIS;
  const findings = (
    status: AnchorFindings["status"],
    rest: Partial<AnchorFindings> = {},
  ): AnchorFindings => ({
    status,
    checkpoint: null,
    reference: null,
    unanchoredEntries: last.sequence,
    truncated: false,
    ...rest,
  });
  if (asked === undefined) return findings("unavailable");
  if (asked.answer === undefined) return findings(noted === 0 ? "pending" : "mismatch");

  const { checkpoint, reference } = asked.answer;
  if (!isGenuine(signer, checkpoint)) return findings("mismatch", { checkpoint, reference });
  const matches =
    checkpoint.sequence >= noted &&
    (await findChainHash(db, key, checkpoint.sequence)) === checkpoint.headHash;
  return findings(matches ? "matched" : "mismatch", {
    checkpoint,
    reference,
    unanchoredEntries: Math.max(0, last.sequence - checkpoint.sequence),
    truncated: checkpoint.sequence > last.sequence,
  });
}
