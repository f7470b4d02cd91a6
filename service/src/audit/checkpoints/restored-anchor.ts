import { itemsOf } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { systemActor } from "../actors.ts";
import { appendAuditEntry } from "../append.ts";
import { GENESIS } from "../chains/chain.ts";
import { chainAllPendingEntries } from "../chains/chain-pending-entries.ts";
import { auditLinkRows, type ChainKey, findLastChainedEntry } from "../chains/queries.ts";
import type { CheckpointAccess } from "./checkpoint.ts";
import { findAnchoredSequence, findLastCheckpoint, listChains } from "./queries.ts";

const CHAINS_MAX = 1_000;

const allChains = ({ db }: CheckpointAccess) =>
  itemsOf<ChainKey>((after) => listChains(db, { after, limit: CHAINS_MAX }));

/** A chain of which the anchor has a checkpoint that the database does not have, as after the restore of a backup. */
interface LostEntries {
  readonly key: ChainKey;
  /** The sequence number of the last entry that the database has. */
  readonly lastSequence: number;
  /** The newest checkpoint in the anchor. The entries after `lastSequence`, up to the checkpoint's number, are lost. */
  readonly checkpoint: SignedCheckpoint;
}

export async function* lostEntries(access: CheckpointAccess): AsyncGenerator<LostEntries> {
  await chainAllPendingEntries(access);
  for await (const key of allChains(access)) {
    const checkpoint = (await access.auditAnchor.latest(key.tenantId, key.chain))?.checkpoint;
    if (checkpoint === undefined) continue;
    const link = await auditLinkRows.find(access.db, { ...key, sequence: checkpoint.sequence });
    if (link?.hash === checkpoint.headHash) continue;
    const { sequence } = (await findLastChainedEntry(access.db, key)) ?? GENESIS;
    yield { key, lastSequence: sequence, checkpoint };
  }
}

/** Writes into the chain that entries are lost, and the checkpoint that covers them. */
export async function recordLoss({ db, clock }: CheckpointAccess, lost: LostEntries, reason: string): Promise<void> {
  const { key, lastSequence, checkpoint } = lost;
  const { sequence, headHash, time } = checkpoint;
  await withTransaction(db, key.tenantId, (tx) =>
    appendAuditEntry(tx, systemActor({ tenantId: key.tenantId, mode: "live" }), {
      action: "audit.restored",
      subject: { type: "audit_chain", id: key.chain },
      facts: { reason, last_sequence: lastSequence, anchored_sequence: sequence, head_hash: headHash, time },
      occurredAt: clock.now(),
      chain: key.chain,
    }),
  );
}

/** Publishes the newest recorded checkpoint of each chain that a new anchor has no checkpoint of. Returns their number. */
export async function fillAnchor(access: CheckpointAccess): Promise<number> {
  let filled = 0;
  for await (const key of allChains(access)) {
    const sequence = await findAnchoredSequence(access.db, key);
    if (sequence === undefined || (await access.auditAnchor.latest(key.tenantId, key.chain)) !== undefined) continue;
    const checkpoint = await findLastCheckpoint(access.db, { ...key, sequence });
    if (checkpoint === undefined) continue;
    await access.auditAnchor.publish(checkpoint);
    filled += 1;
  }
  return filled;
}
