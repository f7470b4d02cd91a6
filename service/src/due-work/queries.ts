import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { compileOnce } from "../db/compile-once.ts";
import type { Db, Tx } from "../db/database.ts";
import { type InTurn, listInTurns } from "../db/pages.ts";
import { THEN_COMMIT } from "../db/round-trips.ts";
import type { Schema } from "../db/schema.ts";
import { tableOf } from "../db/table.ts";
import { deleteWhere, rowsWhere } from "../db/where.ts";
import type { TenantId } from "../foundation/ids.ts";

/** A piece of work of a tenant. The subject is unique among the tenant's work of this kind. */
export type DueItem = Selectable<Schema["dueWork"]>;
export type DueItemKey = Pick<DueItem, "tenantId" | "kind" | "subject">;

/** The pieces of work, by their keys. */
export const dueWorkRows = tableOf("dueWork", ["tenantId", "kind", "subject"]);

/** Inserts an item. If there is one that is not claimed, it is due at the earlier time. */
export async function upsertItemNoLater(tx: Tx, { dueAt, ...key }: DueItemKey & Pick<DueItem, "dueAt">): Promise<void> {
  const earlier = sql<Date>`least(due_work.due_at, excluded.due_at)`;
  await tx
    .insertInto("dueWork")
    .values({ ...key, dueAt, firstDueAt: dueAt, attempts: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["tenantId", "kind", "subject"])
        .doUpdateSet({ dueAt: earlier, firstDueAt: earlier })
        .where("dueWork.attempts", "=", 0),
    )
    .execute();
}

/**
 * Returns up to `limit` items of a kind that are due. The tenants take turns, and those in `except` are left out. The items
 * of a tenant that have been due for longest come first.
 */
export async function listDueItems(
  db: Db,
  {
    kind,
    at,
    except,
    limit,
  }: { readonly kind: string; readonly at: Date; readonly except: Iterable<TenantId>; readonly limit: number },
): Promise<InTurn<DueItem>[]> {
  const due = rowsWhere(db, "dueWork", { kind })
    .where("dueAt", "<=", at)
    .where("tenantId", "!=", sql<TenantId>`all(${[...except]}::text[])`);
  return listInTurns(db, due, ["dueAt", "tenantId", "subject"], { after: undefined, limit });
}

/** The work of one kind that is due. */
export interface DueKind {
  readonly kind: string;
  readonly count: number;
  readonly oldestDueAt: Date;
}

/** Returns how much work of each kind is due, and since when. */
export async function countDueItems(db: Db, at: Date): Promise<DueKind[]> {
  return db
    .selectFrom("dueWork")
    .select("kind")
    .select(sql<number>`count(*)::integer`.as("count"))
    .select(({ fn }) => fn.min("dueAt").as("oldestDueAt"))
    .where("dueAt", "<=", at)
    .groupBy("kind")
    .orderBy("kind")
    .execute();
}

/**
 * Claims an item that is due at `at`: it is due again at `nextDueAt`. Returns undefined if it is no longer due, or while
 * another transaction has locked it. It is the transaction's last statement, because it also commits.
 */
export async function claimItem(
  tx: Tx,
  { at, nextDueAt, ...key }: DueItemKey & { readonly at: Date; readonly nextDueAt: Date },
): Promise<DueItem | undefined> {
  const [claimed] = await claimDueItem(tx, { ...key, at, nextDueAt });
  return claimed;
}

const claimDueItem = compileOnce(
  (tx, { tenantId, kind, subject, at, nextDueAt }: DueItemKey & { readonly at: Date; readonly nextDueAt: Date }) =>
    tx
      .with("due", (db) =>
        db
          .selectFrom("dueWork")
          .select("subject")
          .where(isItem({ tenantId, kind, subject }))
          .where("dueAt", "<=", at)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable("dueWork")
      .from("due")
      .set(({ eb, ref }) => ({ attempts: eb(ref("dueWork.attempts"), "+", 1), dueAt: nextDueAt }))
      .where("dueWork.tenantId", "=", tenantId)
      .where("dueWork.kind", "=", kind)
      .where("dueWork.subject", "=", sql<string>`due.subject`)
      .returningAll("dueWork"),
  { marker: THEN_COMMIT },
);

/** Sets when a claimed item is due again. Does nothing if it was scheduled, claimed or deleted since. */
export async function postponeItem(tx: Tx, claimed: DueItem, dueAt: Date): Promise<void> {
  await tx.updateTable("dueWork").set({ dueAt }).where(isItem(claimed)).where("dueAt", "=", claimed.dueAt).execute();
}

/** Deletes a claimed item. Returns false if it was scheduled, claimed or deleted since. */
export async function deleteClaimedItem(tx: Tx, claimed: DueItem): Promise<boolean> {
  const { numDeletedRows } = await deleteWhere(tx, "dueWork", { dueAt: claimed.dueAt })
    .where(isItem(claimed))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

function isItem({ tenantId, kind, subject }: DueItemKey) {
  return ({ and }: ExpressionBuilder<Schema, "dueWork">) => and({ tenantId, kind, subject });
}
