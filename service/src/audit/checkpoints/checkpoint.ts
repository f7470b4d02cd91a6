import { setTimeout } from "node:timers/promises";
import type { StatementSigner } from "../../crypto/statement-signer.ts";
import type { Db } from "../../db/database.ts";
import { itemsOf } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { type ChainHead, GENESIS, GENESIS_HASH } from "../chains/chain.ts";
import { chainPendingEntries } from "../chains/chain-pending-entries.ts";
import { type ChainKey, lockHead } from "../chains/queries.ts";
import { walkChain } from "../chains/verify.ts";
import {
  findAnchoredSequence,
  findLastCheckpoint,
  hasCheckpoint,
  insertAnchoring,
  insertCheckpoint,
  listDueChains,
} from "./queries.ts";
import { hasValidSignature, signCheckpoint } from "./signed-checkpoint.ts";

const CHAINS_MAX = 1_000;
const ENTRIES_MAX = 100;
const AGE_MAX_MS = 60_000;
/** The most checkpoints that a process publishes at the same time. */
const PUBLISHED_MAX = 10_000;
/** How long a run waits for the anchor. What it has begun goes on after it. */
const WAIT_MAX_MS = 5_000;

export interface CheckpointAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: StatementSigner;
  readonly auditAnchor: AuditAnchor;
}

/**
 * The chain is broken or does not match the anchor's checkpoint, so the database or the anchor was tampered with. No
 * more checkpoints are signed for this chain.
 */
export class AnchorMismatchError extends Error {
  override readonly name = "AnchorMismatchError";
}

export interface FailedAnchoring {
  readonly key: ChainKey;
  readonly error: unknown;
}

/** What the runs of a process have in common, since an anchor can need longer than a run. */
export interface Anchorings {
  /** The chains whose checkpoints are being published. */
  readonly running: Map<string, Promise<unknown>>;
  /** Those that failed since the last run. */
  readonly failed: FailedAnchoring[];
}

/**
 * Anchors each chain that has 100 unanchored entries, or that has any unanchored entry and was last anchored at least
 * 60 seconds ago. A new chain is anchored immediately. A chain that cannot be anchored does not block the others. All checkpoints
 * are published at the same time, because an anchor can need minutes, and can store several at once.
 *
 * @returns the chains that could not be anchored, with their errors
 */
export async function checkpointDue(
  access: CheckpointAccess,
  { running, failed }: Anchorings = { running: new Map(), failed: [] },
): Promise<readonly FailedAnchoring[]> {
  const anchoredBefore = new Date(access.clock.now().getTime() - AGE_MAX_MS);
  const query = { entriesMin: ENTRIES_MAX, anchoredBefore, limit: CHAINS_MAX };
  const started: Promise<unknown>[] = [];
  const due = itemsOf<ChainKey>((after) => listDueChains(access.db, { ...query, after }));
  for await (const key of due) {
    const id = `${key.tenantId} ${key.chain}`;
    if (running.has(id)) continue;
    if (running.size >= PUBLISHED_MAX) break;
    const fail = (error: unknown) => void failed.push({ key, error });
    const checkpoint = await signDue(access, key).catch(fail);
    if (!checkpoint) continue;
    const published = publishSigned(access, checkpoint)
      .catch(fail)
      .finally(() => running.delete(id));
    running.set(id, published);
    started.push(published);
  }
  await Promise.race([Promise.all(started), setTimeout(WAIT_MAX_MS, undefined, { ref: false })]);
  return failed.splice(0);
}

/**
 * Signs a checkpoint of the chain and publishes it to the anchor outside the database. The chain must continue from the
 * anchor's checkpoint, so that a rewritten history never gets a valid signature. If an earlier run signed a checkpoint
 * but could not publish it, this run publishes that checkpoint and does not sign a new one.
 *
 * Throws if the anchor does not respond; the next run tries again. Throws `AnchorMismatchError` if the chain does not
 * continue from the anchor's checkpoint, or if a published checkpoint is missing from the anchor.
 */
export async function checkpointChain(access: CheckpointAccess, key: ChainKey): Promise<void> {
  const checkpoint = await signDue(access, key);
  if (checkpoint !== undefined) await publishSigned(access, checkpoint);
}

async function signDue(access: CheckpointAccess, key: ChainKey): Promise<SignedCheckpoint | undefined> {
  await chainPendingEntries(access.db, key);
  // If the anchor's checkpoint has a lower sequence number than this, the anchor or the database was tampered with. The
  // number is read before the checkpoint. In the reverse order, a checkpoint that another process publishes between the
  // two reads would look like tampering.
  const recordedSequence = (await findAnchoredSequence(access.db, key)) ?? 0;
  const latest = await access.auditAnchor.latest(key.tenantId, key.chain);
  const anchored = latest?.checkpoint;
  assertAnchorComplete(access, key, { anchored, recordedSequence });
  const end = await verifyAfterCheckpoint(access, key, anchored);
  // What was published, and whose recording has failed, is recorded now.
  if (latest !== undefined && latest.checkpoint.sequence > recordedSequence) await record(access, latest);
  return await signNextCheckpoint(access, key, { anchored, end });
}

async function publishSigned(access: CheckpointAccess, checkpoint: SignedCheckpoint): Promise<void> {
  await record(access, { checkpoint, reference: await access.auditAnchor.publish(checkpoint) });
}

async function record(
  { db, clock }: CheckpointAccess,
  { checkpoint, reference }: { readonly checkpoint: SignedCheckpoint; readonly reference: string },
): Promise<void> {
  const { tenantId, chain, sequence } = checkpoint;
  const anchoredAt = clock.now();
  await withTransaction(db, tenantId, async (tx) => {
    // A backup that was restored can lack it.
    if (!(await hasCheckpoint(tx, checkpoint))) return;
    await insertAnchoring(tx, { tenantId, chain, sequence, reference, anchoredAt });
  });
}

/** Throws if the anchor's checkpoint has an invalid signature, or is older than the last published checkpoint. */
function assertAnchorComplete(
  { signer }: CheckpointAccess,
  { tenantId, chain }: ChainKey,
  {
    anchored,
    recordedSequence,
  }: { readonly anchored: SignedCheckpoint | undefined; readonly recordedSequence: number },
): void {
  if (anchored !== undefined && !hasValidSignature(signer, anchored)) {
    const isKnown = signer.publicJwks.some(({ kid }) => kid === anchored.keyId);
    const why = isKnown
      ? "has an invalid signature"
      : `is signed with the key ${anchored.keyId}, which PURSER_STATEMENT_KEYS_RETIRED lacks`;
    throw new AnchorMismatchError(`The anchor's checkpoint of ${tenantId} ${chain} ${why}.`);
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
  const from = anchored === undefined ? GENESIS : { sequence: anchored.sequence, hash: anchored.headHash };
  const { end, brokenAt } = await walkChain(db, key, from);
  if (brokenAt === null) return end;
  throw new AnchorMismatchError(`${key.tenantId} ${key.chain} is broken at ${brokenAt.sequence}: ${brokenAt.reason}`);
}

interface AnchorState {
  /** The anchor's newest checkpoint of the chain. */
  readonly anchored: SignedCheckpoint | undefined;
  /** The chain's last entry. */
  readonly end: ChainHead;
}

/** Returns the checkpoint to publish, or undefined if every entry is anchored. */
async function signNextCheckpoint(
  { db, clock, signer }: CheckpointAccess,
  key: ChainKey,
  { anchored, end }: AnchorState,
): Promise<SignedCheckpoint | undefined> {
  return withTransaction(db, key.tenantId, async (tx) => {
    const head = await lockHead(tx, key);
    if (head.sequence < end.sequence) {
      throw new AnchorMismatchError(`${key.tenantId} ${key.chain} ends before its anchored checkpoint.`);
    }
    const last = await findLastCheckpoint(tx, key);
    if (last !== undefined && hasValidSignature(signer, last) && isUnpublished(last, { anchored, end })) {
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

/**
 * Returns true if the last stored checkpoint must be published, because it is newer than the anchor's checkpoint or
 * covers the whole chain. An earlier run may have published a checkpoint of the whole chain but failed to record this
 * in the database. Publishing the checkpoint again is harmless, and this run then records it as anchored.
 */
function isUnpublished(last: SignedCheckpoint, { anchored, end }: AnchorState): boolean {
  return last.sequence > (anchored?.sequence ?? 0) || last.sequence === end.sequence;
}
