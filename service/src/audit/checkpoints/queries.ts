import type { Db, Tx } from "../../db/database.ts";
import { isAfter, type Page } from "../../db/pages.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { exists, rowsWhere, sameColumns, selectWhere, updateWhere } from "../../db/where.ts";
import type { SignedCheckpoint } from "../../ports/audit-anchor.ts";
import type { ChainKey } from "../chains/queries.ts";

const auditCheckpointRows = tableOf("auditCheckpoints", ["tenantId", "chain", "sequence"]);
const auditAnchoringRows = tableOf("auditAnchorings", ["tenantId", "chain", "sequence"]);

/**
 * Returns the chains with at least `entriesMin` unanchored entries. Also returns a chain with fewer unanchored entries
 * if it was never anchored, or was last anchored at or before `anchoredBefore`.
 */
export async function listDueChains(
  db: Db,
  due: Page<ChainKey> & { readonly entriesMin: number; readonly anchoredBefore: Date },
): Promise<ChainKey[]> {
  return db
    .selectFrom("auditHeads")
    .select(["tenantId", "chain"])
    .whereRef("sequence", ">", "anchoredSequence")
    .where(isAfter(due.after, ["tenantId", "chain"]))
    .where(({ eb, or, ref }) =>
      or([
        eb("anchoredAt", "is", null),
        eb("anchoredAt", "<=", due.anchoredBefore),
        eb("sequence", ">=", eb(ref("anchoredSequence"), "+", due.entriesMin)),
      ]),
    )
    .orderBy("tenantId")
    .orderBy("chain")
    .limit(due.limit)
    .execute();
}

/** Returns the chains of all tenants. */
export async function listChains(db: Db, { after, limit }: Page<ChainKey>): Promise<ChainKey[]> {
  return db
    .selectFrom("auditHeads")
    .select(["tenantId", "chain"])
    .where(isAfter(after, ["tenantId", "chain"]))
    .orderBy("tenantId")
    .orderBy("chain")
    .limit(limit)
    .execute();
}

export function hasCheckpoint(db: Db, { tenantId, chain, sequence }: SignedCheckpoint): Promise<boolean> {
  return exists(selectWhere(db, "auditCheckpoints", { tenantId, chain, sequence }).select("sequence"));
}

/** Returns the chain's newest stored checkpoint, or that with a sequence number, even if it has not been anchored. */
export async function findLastCheckpoint(
  db: Db,
  { tenantId, chain, sequence }: ChainKey & { readonly sequence?: number },
): Promise<SignedCheckpoint | undefined> {
  const row = await rowsWhere(db, "auditCheckpoints", { tenantId, chain, ...(sequence !== undefined && { sequence }) })
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { checkpointedAt, ...rest } = row;
  return { ...rest, time: checkpointedAt.toISOString() };
}

/** `reference` and `anchoredAt` are null until the anchor has accepted the checkpoint. */
export interface StoredCheckpoint extends SignedCheckpoint {
  readonly reference: string | null;
  readonly anchoredAt: Date | null;
}

/** Returns checkpoints of the chain before `beforeSequence`, newest first. */
export async function listStoredCheckpoints(
  db: Db,
  { tenantId, chain }: ChainKey,
  { beforeSequence, limit }: { readonly beforeSequence: number | undefined; readonly limit: number },
): Promise<StoredCheckpoint[]> {
  const rows = await db
    .selectFrom("auditCheckpoints as checkpoint")
    .leftJoin("auditAnchorings as anchoring", sameColumns("anchoring", "checkpoint", ["tenantId", "chain", "sequence"]))
    .selectAll("checkpoint")
    .select(["anchoring.reference", "anchoring.anchoredAt"])
    .where("checkpoint.tenantId", "=", tenantId)
    .where("checkpoint.chain", "=", chain)
    .$if(beforeSequence !== undefined, (query) => query.where("checkpoint.sequence", "<", beforeSequence ?? 0))
    .orderBy("checkpoint.sequence", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ checkpointedAt, ...rest }) => ({ ...rest, time: checkpointedAt.toISOString() }));
}

export async function insertCheckpoint(tx: Tx, { time, ...checkpoint }: SignedCheckpoint): Promise<void> {
  await auditCheckpointRows.insert(tx, { ...checkpoint, checkpointedAt: new Date(time) });
}

/** Records that the anchor has accepted the checkpoint. */
export async function insertAnchoring(
  tx: Tx,
  anchoring: Pick<Row<"auditAnchorings">, "tenantId" | "chain" | "sequence" | "reference" | "anchoredAt">,
): Promise<void> {
  const { tenantId, chain, sequence, anchoredAt } = anchoring;
  await auditAnchoringRows.insertIfNew(tx, anchoring);
  await updateWhere(tx, "auditHeads", { tenantId, chain })
    .set({ anchoredSequence: sequence, anchoredAt })
    .where("anchoredSequence", "<=", sequence)
    .execute();
}

/** Returns the sequence number of the last checkpoint that the anchor has accepted. */
export async function findAnchoredSequence(db: Db, { tenantId, chain }: ChainKey): Promise<number | undefined> {
  const row = await selectWhere(db, "auditAnchorings", { tenantId, chain })
    .select("sequence")
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.sequence;
}

/**
 * Returns the time of the oldest unanchored entry in the chain, or in all chains if `key` is undefined. Returns
 * undefined if all entries are anchored.
 */
export async function findFirstUnanchored(db: Db, key?: ChainKey): Promise<Date | undefined> {
  let heads = db
    .selectFrom("auditHeads as head")
    .innerJoin("auditLinks as link", (join) =>
      join
        .onRef("link.tenantId", "=", "head.tenantId")
        .onRef("link.chain", "=", "head.chain")
        .on(({ eb, ref }) => eb(ref("link.sequence"), "=", eb(ref("head.anchoredSequence"), "+", 1))),
    )
    .innerJoin("auditEntries as entry", sameColumns("entry", "link", ["tenantId", "chain", "auditId"]))
    .select(({ fn }) => fn.min("entry.occurredAt").as("occurredAt"))
    .whereRef("head.sequence", ">", "head.anchoredSequence");
  if (key !== undefined) {
    heads = heads.where("head.tenantId", "=", key.tenantId).where("head.chain", "=", key.chain);
  }
  const row = await heads.executeTakeFirst();
  return row?.occurredAt ?? undefined;
}
