import { sha256Hex } from "../crypto/signing.ts";
import type { StatementSigner } from "../crypto/statement-signer.ts";
import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import { canonicalJson } from "../foundation/canonical-json.ts";
import type { Clock } from "../foundation/clock.ts";
import type { AuditAnchor, SignedCheckpoint } from "../ports/audit-anchor.ts";
import { GENESIS_HASH } from "./chain.ts";
import { linkPending } from "./link-pending.ts";
import {
  type ChainKey,
  findLastAnchoring,
  findLastCheckpoint,
  insertAnchoring,
  insertCheckpoint,
  lockHead,
} from "./queries.ts";

export interface CheckpointAccess {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: StatementSigner;
  readonly auditAnchor: AuditAnchor;
}

/**
 * States what the chain is now, signs it, and hands it to the anchor outside the database. A checkpoint that an earlier
 * run could not hand over is handed over first. Rejects when the anchor does not take it; nothing is lost by that, the
 * next run tries again.
 */
export async function checkpointChain(access: CheckpointAccess, key: ChainKey): Promise<void> {
  await linkPending(access.db, key);
  const checkpoint = await writeCheckpoint(access, key);
  if (checkpoint === undefined) return;

  const anchored = await findLastAnchoring(access.db, key);
  if (anchored !== undefined && anchored.sequence >= checkpoint.sequence) return;
  const reference = await access.auditAnchor.publish(checkpoint);
  const { sequence } = checkpoint;
  const anchoredAt = access.clock.now();
  await withTransaction(access.db, key.tenantId, (tx) =>
    insertAnchoring(tx, { ...key, sequence, reference, anchoredAt }),
  );
}

/** The checkpoint of the chain's present head: the one that is there already, or a new one. */
async function writeCheckpoint(
  { db, clock, signer }: CheckpointAccess,
  key: ChainKey,
): Promise<SignedCheckpoint | undefined> {
  return withTransaction(db, key.tenantId, async (tx) => {
    const head = await lockHead(tx, key);
    const last = await findLastCheckpoint(tx, key);
    if (head.sequence === (last?.sequence ?? 0)) return last;

    const statement = {
      ...key,
      sequence: head.sequence,
      headHash: head.hash,
      time: clock.now().toISOString(),
      prevCheckpointHash: last?.checkpointHash ?? GENESIS_HASH,
    };
    const checkpointHash = checkpointHashOf(statement);
    const signature = signer.sign(checkpointHash);
    const checkpoint = { ...statement, checkpointHash, keyId: signer.keyId, signature };
    await insertCheckpoint(tx, checkpoint);
    return checkpoint;
  });
}

/** Lower-case hex SHA-256 of the canonical JSON of what a checkpoint states. */
export function checkpointHashOf(
  statement: Omit<SignedCheckpoint, "checkpointHash" | "keyId" | "signature">,
): string {
  return sha256Hex(
    canonicalJson({
      tenant_id: statement.tenantId,
      chain: statement.chain,
      sequence: statement.sequence,
      head_hash: statement.headHash,
      time: statement.time,
      prev_checkpoint_hash: statement.prevCheckpointHash,
    }),
  );
}
