import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns, type ListedPage, type Page, readNewest } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countRows, rowsWhere, selectWhere, updateWhere } from "../../db/where.ts";
import { AppError } from "../../foundation/errors.ts";
import type { KillSwitchId, TenantId } from "../../foundation/ids.ts";
import { KILL_SWITCH_TARGET_TYPES, type KillSwitchOutcome } from "../../foundation/vocabulary.ts";

export type KillSwitch = Row<"killSwitches">;
export type KillSwitchKey = Pick<KillSwitch, "tenantId" | "mode" | "killSwitchId">;
export type KillSwitchTarget = Omit<Selectable<Schema["killSwitchTargets"]>, "tenantId" | "killSwitchId" | "run">;

export const killSwitchRows = tableOf("killSwitches", ["tenantId", "mode", "killSwitchId"]);
/** The reported targets, by what they are. */
export const killSwitchTargetRows = tableOf("killSwitchTargets", [
  "tenantId",
  "killSwitchId",
  "targetType",
  "targetId",
]);

export function killSwitchNotFound({ killSwitchId }: KillSwitchKey): AppError {
  return new AppError("kill_switch_not_found", { internal: `no kill switch ${killSwitchId}` });
}

type TargetKey = Pick<KillSwitch, "tenantId" | "mode" | "scope" | "targetId">;

function selectOfTarget(tx: Tx, { tenantId, mode, scope, targetId }: TargetKey) {
  return rowsWhere(tx, "killSwitches", { tenantId, mode, scope }).where("targetId", "=", targetId);
}

/** Returns the running kill switch of this target. There is at most one. */
export async function findRunningKillSwitch(tx: Tx, target: TargetKey): Promise<KillSwitch | undefined> {
  return selectOfTarget(tx, target).where("status", "=", "running").executeTakeFirst();
}

/** Returns the number of kill switches that this key triggered after this time. */
export async function countKillSwitchesOfKey(
  tx: Tx,
  { tenantId, keyId }: Pick<KillSwitch, "tenantId" | "keyId">,
  since: Date,
): Promise<number> {
  return countRows(
    rowsWhere(tx, "killSwitches", { tenantId }).where("keyId", "=", keyId).where("createdAt", ">", since),
  );
}

/** Returns the newest kill switch of this target that was triggered after this time. */
export async function findNewestKillSwitch(tx: Tx, target: TargetKey, since: Date): Promise<KillSwitch | undefined> {
  return selectOfTarget(tx, target).where("createdAt", ">", since).orderBy("createdAt", "desc").executeTakeFirst();
}

/**
 * Locks the row of a kill switch until the transaction ends, and says that it was continued now. Returns false if this run
 * has ended.
 */
export async function continueRun(
  tx: Tx,
  { tenantId, killSwitchId, run }: Pick<KillSwitch, "tenantId" | "killSwitchId" | "run">,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await updateWhere(tx, "killSwitches", { tenantId, killSwitchId, run, status: "running" })
    .set({ updatedAt: at })
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** A target with its outcome. Without `onchain` and `detail`, these are null. */
type KilledTarget = Omit<KillSwitchTarget, "onchain" | "detail"> & Partial<KillSwitchTarget>;

/**
 * Stores the outcome of a target. A target that this kill switch killed in an earlier run, and that is still dead, stays
 * `killed`.
 */
export async function saveTarget(
  tx: Tx,
  { tenantId, killSwitchId, run }: Pick<KillSwitch, "tenantId" | "killSwitchId" | "run">,
  { onchain = null, detail = null, ...target }: KilledTarget,
): Promise<void> {
  await tx
    .insertInto("killSwitchTargets")
    .values({ ...target, onchain, detail, tenantId, killSwitchId, run })
    .onConflict((conflict) =>
      conflict.columns(["tenantId", "killSwitchId", "targetType", "targetId"]).doUpdateSet({
        outcome: sql<KillSwitchOutcome>`case
            when excluded.outcome = 'already_dead' and kill_switch_targets.outcome = 'killed' then 'killed'
            else excluded.outcome end`,
        onchain: (eb) => eb.ref("excluded.onchain"),
        detail: (eb) => eb.ref("excluded.detail"),
        run: (eb) => eb.ref("excluded.run"),
      }),
    )
    .execute();
}

/** Returns the ids of the agents that the kill switch covers, as far as its run has come. */
export async function listKilledAgentIds(
  db: Db,
  { tenantId, killSwitchId }: Pick<KillSwitch, "tenantId" | "killSwitchId">,
): Promise<string[]> {
  const rows = await selectWhere(db, "killSwitchTargets", { tenantId, killSwitchId, targetType: "agent" })
    .select("targetId")
    .execute();
  return rows.map(({ targetId }) => targetId);
}

export interface TargetCount extends Pick<KillSwitchTarget, "targetType" | "outcome" | "onchain"> {
  readonly count: number;
}

/** Returns the numbers of targets of these kill switches. */
export async function countTargets(
  db: Db,
  { tenantId, killSwitchIds }: { readonly tenantId: TenantId; readonly killSwitchIds: readonly KillSwitchId[] },
): Promise<ReadonlyMap<KillSwitchId, readonly TargetCount[]>> {
  const rows = await selectWhere(db, "killSwitchTargets", { tenantId })
    .select(["killSwitchId", "targetType", "outcome", "onchain"])
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where(sql<boolean>`kill_switch_id = any(${killSwitchIds}::text[])`)
    .groupBy(["killSwitchId", "targetType", "outcome", "onchain"])
    .execute();
  const counts = rows.map((row) => ({ ...row, count: Number(row.count) }));
  return Map.groupBy(counts, ({ killSwitchId }) => killSwitchId);
}

/** Returns the first targets: those that are not dead, then the others, in the order of their types and ids. */
export async function listTargets(
  db: Db,
  { tenantId, killSwitchId }: Pick<KillSwitch, "tenantId" | "killSwitchId">,
  limit: number,
): Promise<KillSwitchTarget[]> {
  return selectWhere(db, "killSwitchTargets", { tenantId, killSwitchId })
    .select(["targetType", "targetId", "outcome", "onchain", "detail"])
    .orderBy(
      sql`array_position(array['failed', 'blocked_pending'], outcome), coalesce(onchain, '') <> 'blocked_pending',
        array_position(${[...KILL_SWITCH_TARGET_TYPES]}::text[], target_type), target_id collate "C"`,
    )
    .limit(limit)
    .execute();
}

export async function listKillSwitchRows(
  db: Db,
  { tenantId, mode }: Pick<KillSwitch, "tenantId" | "mode">,
  { after, limit }: Page<string>,
): Promise<ListedPage<KillSwitch>> {
  const killSwitches = rowsWhere(db, "killSwitches", { tenantId, mode });
  return readNewest(killSwitches, { tenantId, table: "killSwitches", column: "killSwitchId" }, { after, limit });
}

type StalledKillSwitch = Pick<KillSwitch, "tenantId" | "mode" | "killSwitchId" | "updatedAt">;

/** Yields the running kill switches of all tenants that were not continued since `before`. */
export function stalledKillSwitches(db: Db, before: Date): AsyncGenerator<StalledKillSwitch> {
  return inTurns<StalledKillSwitch>(db, ["updatedAt", "tenantId", "killSwitchId"], () =>
    selectWhere(db, "killSwitches", { status: "running" })
      .select(["tenantId", "mode", "killSwitchId", "updatedAt"])
      .where("updatedAt", "<=", before),
  );
}
