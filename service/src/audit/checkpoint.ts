import type { StatementSigner } from "../crypto/statement-signer.ts";
import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import type { AuditAnchor, SignedCheckpoint } from "../ports/audit-anchor.ts";
import { type ChainHead, GENESIS, GENESIS_HASH } from "./chain.ts";
import { chainPendingEntries } from "./link-pending.ts";
import {
  type ChainKey,
  findAnchoredSequence,
  findLastCheckpoint,
  insertAnchoring,
  insertCheckpoint,
  lockHead,
} from "./queries.ts";
import { isGenuine, signCheckpoint } from "./signed-checkpoint.ts";
import { walkChain } from "./walk-chain.ts";

export interface CheckpointAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: StatementSigner;
  readonly auditAnchor: AuditAnchor;
}

/** The chain and its anchor do not tell the same story: somebody has changed one of the two. Nothing more is signed of it. */
export class AnchorMismatchError extends Error {
  override readonly name = "AnchorMismatchError";
}

/**
 * States what the chain is now, signs it, and hands it to the anchor outside the database. Signed is only what continues the
 * checkpoint that the anchor has: a history that was rewritten below it is never stated anew, so it cannot pass for the true
 * one afterwards. A checkpoint that an earlier run could not hand over is handed over first.
 *
 * Rejects when the anchor does not answer, and with AnchorMismatchError when the chain does not continue it, or when it no
 * longer has what it was given. Nothing is lost by that: the next run tries again.
 */
export async function checkpointChain(access: CheckpointAccess, key: ChainKey): Promise<void> {
  await chainPendingEntries(access.db, key);
  // Read before the anchor is asked: meanwhile the anchor may only have got ahead of it, by honest work.
  const notedSequence = (await findAnchoredSequence(access.db, key)) ?? 0;
  const anchored = (await access.auditAnchor.latest(key.tenantId, key.chain))?.checkpoint;
  refuseLoss(access, key, { anchored, notedSequence });
  const end = await walkOnFrom(access, key, anchored);
  const checkpoint = await writeCheckpoint(access, key, { anchored, end });
  if (checkpoint === undefined) return;

  const reference = await access.auditAnchor.publish(checkpoint);
  const { sequence } = checkpoint;
  const anchoredAt = access.clock.now();
  await withTransaction(access.db, key.tenantId, (tx) =>
    insertAnchoring(tx, { ...key, sequence, reference, anchoredAt }),
  );
}

/** What the anchor answers must be ours, and no less than it was given. */
function refuseLoss(
  { signer }: CheckpointAccess,
  { tenantId, chain }: ChainKey,
  {
    anchored,
    notedSequence,
  }: { readonly anchored: SignedCheckpoint | undefined; readonly notedSequence: number },
): void {
  if (anchored !== undefined && !isGenuine(signer, anchored)) {
    throw new AnchorMismatchError(`The anchor's checkpoint of ${tenantId} ${chain} is not ours.`);
  }
  if ((anchored?.sequence ?? 0) < notedSequence) {
    throw new AnchorMismatchError(
      `The anchor of ${tenantId} ${chain} has lost what it had up to ${notedSequence}.`,
    );
  }
}

/** Recomputes what has been added to the chain since it was anchored, and says where it ends now. */
async function walkOnFrom(
  { db }: CheckpointAccess,
  key: ChainKey,
  anchored: SignedCheckpoint | undefined,
): Promise<ChainHead> {
  const from =
    anchored === undefined ? GENESIS : { sequence: anchored.sequence, hash: anchored.headHash };
  const { end, brokenAt } = await walkChain(db, key, from);
  if (brokenAt === null) return end;
  throw new AnchorMismatchError(
    `${key.tenantId} ${key.chain} is broken at ${brokenAt.sequence}: ${brokenAt.reason}`,
  );
}

interface Stretch {
  /** Where the anchor has the chain. */
  readonly anchored: SignedCheckpoint | undefined;
  /** Where the chain ends now. */
  readonly end: ChainHead;
}

/** The checkpoint that is to be handed over, if there is anything that the anchor does not have. */
async function writeCheckpoint(
  { db, clock, signer }: CheckpointAccess,
  key: ChainKey,
  { anchored, end }: Stretch,
): Promise<SignedCheckpoint | undefined> {
  return withTransaction(db, key.tenantId, async (tx) => {
    const head = await lockHead(tx, key);
    if (head.sequence < end.sequence) {
      throw new AnchorMismatchError(
        `${key.tenantId} ${key.chain} ends before its anchored checkpoint.`,
      );
    }
    const last = await findLastCheckpoint(tx, key);
    if (last !== undefined && isGenuine(signer, last) && isUnfinished(last, { anchored, end })) {
      return last;
    }
    if (end.sequence === anchored?.sequence || end.sequence === 0) return undefined;

    const checkpoint = signCheckpoint(signer, {
      ...key,
      sequence: end.sequence,
      headHash: end.hash,
      time: clock.now().toISOString(),
      prevCheckpointHash: anchored?.checkpointHash ?? GENESIS_HASH,
    });
    await insertCheckpoint(tx, checkpoint);
    return checkpoint;
  });
}

/** Whether an earlier run wrote the checkpoint and did not hand it over, or handed it over and did not note that. */
function isUnfinished(last: SignedCheckpoint, { anchored, end }: Stretch): boolean {
  return last.sequence > (anchored?.sequence ?? 0) || last.sequence === end.sequence;
}
