import { type Insertable, sql } from "kysely";
import type { Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import type { FoundProject } from "../queries.ts";

/** A variable without its values. */
export interface Variable {
  readonly name: string;
  readonly environments: readonly string[];
  readonly sensitive: boolean;
  readonly version: number;
  readonly updatedAt: Date;
}

/** Sorted by bytes, so that the order of pages does not depend on the database's collation. */
const NAME_IN_ORDER = sql<string>`name collate "C"`;

function selectVariables(tx: Tx, { tenantId, projectId }: FoundProject) {
  return tx
    .selectFrom("projectVariables")
    .select(({ fn }) => [
      "name",
      sql<string[]>`array_agg(environment order by environment collate "C")`.as("environments"),
      sql<boolean>`bool_or(sensitive)`.as("sensitive"),
      fn.max<number>("version").as("version"),
      fn.max<Date>("updatedAt").as("updatedAt"),
    ])
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .groupBy("name");
}

/** Returns the project's variables that follow `afterName`, sorted by name. Needs a transaction of the tenant. */
export async function listVariableRows(
  tx: Tx,
  project: FoundProject,
  { afterName, limit }: { readonly afterName: string; readonly limit: number },
): Promise<Variable[]> {
  return selectVariables(tx, project)
    .where(NAME_IN_ORDER, ">", afterName)
    .orderBy(NAME_IN_ORDER)
    .limit(limit)
    .execute();
}

/** Returns one variable, or undefined. Needs a transaction of the tenant. */
export async function findVariable(
  tx: Tx,
  project: FoundProject,
  name: string,
): Promise<Variable | undefined> {
  return selectVariables(tx, project).where("name", "=", name).executeTakeFirst();
}

/**
 * Returns the number of the project's variables and the bytes of their encrypted values, without the variable `name`.
 */
export async function measureOtherVariables(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  name: string,
): Promise<{ readonly count: bigint; readonly bytes: bigint }> {
  return tx
    .selectFrom("projectVariables")
    .select(({ fn }) => [
      fn.count<bigint>("name").distinct().as("count"),
      sql<bigint>`coalesce(sum(octet_length(value_sealed)), 0)`.as("bytes"),
    ])
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("name", "!=", name)
    .executeTakeFirstOrThrow();
}

/** Sets a variable in each of the rows' environments. Replaces existing values. */
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

/** Sets `sensitive` in all environments of the variable, because it applies to the name, not to one value. */
export async function markSensitivity(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  { name, sensitive }: Pick<Variable, "name" | "sensitive">,
): Promise<void> {
  await tx
    .updateTable("projectVariables")
    .set({ sensitive })
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("name", "=", name)
    .execute();
}

/** Deletes the values of one variable in all environments. */
export async function deleteVariableValues(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  name: string,
): Promise<void> {
  await tx
    .deleteFrom("projectVariables")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("name", "=", name)
    .execute();
}

export async function deleteAllVariableValues(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
): Promise<void> {
  await tx
    .deleteFrom("projectVariables")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .execute();
}

/** Counts the names of the project's variables. */
export async function countVariables(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
): Promise<number> {
  const { count } = await tx
    .selectFrom("projectVariables")
    .select(({ fn }) => fn.count<bigint>("name").distinct().as("count"))
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
