import type { StatementSigner } from "../../crypto/statement-signer.ts";
import type { Db } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { type ChainHead, GENESIS, GENESIS_HASH } from "../chains/chain.ts";
import { chainPendingEntries } from "../chains/chain-pending-entries.ts";
import { type ChainKey, lockHead } from "../chains/queries.ts";
import { walkChain } from "../chains/walk-chain.ts";
import {
  findAnchoredSequence,
  findLastCheckpoint,
  insertAnchoring,
  insertCheckpoint,
} from "./queries.ts";
import { hasValidSignature, signCheckpoint } from "./signed-checkpoint.ts";

export interface CheckpointAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: StatementSigner;
  readonly auditAnchor: AuditAnchor;
}

/** The chain and its anchor disagree: one of them was tampered with. No more checkpoints of the chain are signed. */
export class AnchorMismatchError extends Error {
  override readonly name = "AnchorMismatchError";
}

/**
 * Signs a checkpoint of the chain and publishes it to the anchor outside the database. Signs only a chain that continues the
 * anchor's checkpoint, so that a rewritten history never gets a valid signature. A checkpoint that an earlier run could not
 * publish is published first.
 *
 * Throws if the anchor does not respond; the next run tries again. Throws `AnchorMismatchError` if the chain does not
 * continue the anchor's checkpoint, or if the anchor has lost a checkpoint.
 */
export async function checkpointChain(access: CheckpointAccess, key: ChainKey): Promise<void> {
  await chainPendingEntries(access.db, key);
  // Read before the anchor's checkpoint: without tampering, that checkpoint is at or after this sequence.
  const recordedSequence = (await findAnchoredSequence(access.db, key)) ?? 0;
  const anchored = (await access.auditAnchor.latest(key.tenantId, key.chain))?.checkpoint;
  assertAnchorComplete(access, key, { anchored, recordedSequence });
  const end = await verifyAfterCheckpoint(access, key, anchored);
  const checkpoint = await signNextCheckpoint(access, key, { anchored, end });
  if (checkpoint === undefined) return;

  const reference = await access.auditAnchor.publish(checkpoint);
  const { sequence } = checkpoint;
  const anchoredAt = access.clock.now();
  await withTransaction(access.db, key.tenantId, (tx) =>
    insertAnchoring(tx, { ...key, sequence, reference, anchoredAt }),
  );
}

/** Throws unless the anchor's checkpoint has a valid signature and is not older than the last one that was published. */
function assertAnchorComplete(
  { signer }: CheckpointAccess,
  { tenantId, chain }: ChainKey,
  {
    anchored,
    recordedSequence,
  }: { readonly anchored: SignedCheckpoint | undefined; readonly recordedSequence: number },
): void {
  if (anchored !== undefined && !hasValidSignature(signer, anchored)) {
    throw new AnchorMismatchError(
      `The anchor's checkpoint of ${tenantId} ${chain} has an invalid signature.`,
    );
  }
  if ((anchored?.sequence ?? 0) < recordedSequence) {
    throw new AnchorMismatchError(
      `The anchor no longer contains the checkpoint ${recordedSequence} of ${tenantId} ${chain}.`,
    );
  }
}

/** Recomputes the chain after the anchor's checkpoint. Returns its last entry. */
async function verifyAfterCheckpoint(
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

interface AnchorState {
  /** The anchor's newest checkpoint of the chain. */
  readonly anchored: SignedCheckpoint | undefined;
  /** The end of the chain. */
  readonly end: ChainHead;
}

/** Returns the checkpoint to publish. Undefined if every entry is anchored. */
async function signNextCheckpoint(
  { db, clock, signer }: CheckpointAccess,
  key: ChainKey,
  { anchored, end }: AnchorState,
): Promise<SignedCheckpoint | undefined> {
  return withTransaction(db, key.tenantId, async (tx) => {
    const head = await lockHead(tx, key);
    if (head.sequence < end.sequence) {
      throw new AnchorMismatchError(
        `${key.tenantId} ${key.chain} ends before its anchored checkpoint.`,
      );
    }
    const last = await findLastCheckpoint(tx, key);
    if (
      last !== undefined &&
      hasValidSignature(signer, last) &&
      isUnpublished(last, { anchored, end })
    ) {
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

/** Whether the anchor's checkpoint is older, or only the record of the publication is missing. Asked of due chains only. */
function isUnpublished(last: SignedCheckpoint, { anchored, end }: AnchorState): boolean {
  return last.sequence > (anchored?.sequence ?? 0) || last.sequence === end.sequence;
}
