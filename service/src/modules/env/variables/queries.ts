import { type Insertable, sql } from "kysely";
import type { Tx } from "../../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../../db/pages.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { deleteWhere, selectWhere, updateWhere } from "../../../db/where.ts";
import { caselessName } from "../../../foundation/variable-names.ts";
import type { FoundProject } from "../../projects/queries.ts";

export const projectVariableRows = tableOf("projectVariables", ["tenantId", "projectId"]);

/** A variable without its values. */
export interface Variable {
  readonly name: string;
  readonly environments: readonly string[];
  readonly sensitive: boolean;
  readonly version: number;
  readonly updatedAt: Date;
}

/** Sorts names by bytes, so that their order does not depend on the database's collation. */
const NAME_IN_ORDER = sql<string>`name collate "C"`;

function selectVariables(tx: Tx, { tenantId, projectId }: FoundProject) {
  return selectWhere(tx, "projectVariables", { tenantId, projectId })
    .select(({ fn }) => [
      "name",
      sql<string[]>`array_agg(environment order by environment collate "C")`.as("environments"),
      sql<boolean>`bool_or(sensitive)`.as("sensitive"),
      fn.max<number>("version").as("version"),
      fn.max<Date>("updatedAt").as("updatedAt"),
    ])
    .groupBy("name");
}

/**
 * Returns one page of the project's variables, sorted by name. Must run in a transaction of the tenant, because row-level
 * security hides the variables from other tenants.
 */
export async function listVariablesOf(
  tx: Tx,
  project: FoundProject,
  { after = "", limit }: Page<string>,
): Promise<ListedPage<Variable>> {
  const variables = selectVariables(tx, project).where(NAME_IN_ORDER, ">", after).orderBy(NAME_IN_ORDER);
  return readPage(limit, (max) => variables.limit(max).execute());
}

/**
 * Returns one variable, or undefined. Must run in a transaction of the tenant, because row-level security hides the
 * variables from other tenants.
 */
export async function findVariable(tx: Tx, project: FoundProject, name: string): Promise<Variable | undefined> {
  return selectVariables(tx, project).where("name", "=", name).executeTakeFirst();
}

/** Returns the name of another variable that differs from `name` only in case, or undefined. */
export async function findNameInOtherCase(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  name: string,
): Promise<string | undefined> {
  const row = await selectWhere(tx, "projectVariables", { tenantId, projectId })
    .select("name")
    .where("name", "!=", name)
    .where(sql<boolean>`upper(name) = ${caselessName(name)}`)
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}

/** Counts the project's variables except `name`. Also returns the total size of their encrypted values. */
export async function measureOtherVariables(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  name: string,
): Promise<{ readonly count: bigint; readonly bytes: bigint }> {
  return selectWhere(tx, "projectVariables", { tenantId, projectId })
    .select(({ fn }) => [
      fn.count<bigint>("name").distinct().as("count"),
      sql<bigint>`coalesce(sum(octet_length(value_sealed)), 0)`.as("bytes"),
    ])
    .where("name", "!=", name)
    .executeTakeFirstOrThrow();
}

/** Sets a variable in each row's environment, replacing existing values. */
export async function upsertVariableValues(
  tx: Tx,
  rows: readonly Insertable<Schema["projectVariables"]>[],
): Promise<void> {
  await tx
    .insertInto("projectVariables")
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(["tenantId", "projectId", "name", "environment"]).doUpdateSet(({ ref }) => ({
        valueSealed: ref("excluded.valueSealed"),
        sensitive: ref("excluded.sensitive"),
        version: ref("excluded.version"),
        updatedAt: ref("excluded.updatedAt"),
      })),
    )
    .execute();
}

/**
 * Sets `sensitive` in all of the variable's environments, because the flag applies to the variable, not to a single
 * value.
 */
export async function markSensitivity(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  { name, sensitive }: Pick<Variable, "name" | "sensitive">,
): Promise<void> {
  await updateWhere(tx, "projectVariables", { tenantId, projectId, name }).set({ sensitive }).execute();
}

/** Deletes the values of one variable in all environments. */
export async function deleteVariableValues(tx: Tx, { tenantId, projectId }: FoundProject, name: string): Promise<void> {
  await deleteWhere(tx, "projectVariables", { tenantId, projectId, name }).execute();
}

/** Counts the project's variables. A variable that is set in several environments counts once. */
export async function countVariables(tx: Tx, { tenantId, projectId }: FoundProject): Promise<number> {
  const { count } = await selectWhere(tx, "projectVariables", { tenantId, projectId })
    .select(({ fn }) => fn.count<bigint>("name").distinct().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
