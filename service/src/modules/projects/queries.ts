import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { ProjectTable, Schema } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ProjectId, TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { type Period, SPENT_STATUSES, type Usage } from "./usage.ts";

export type Project = Selectable<ProjectTable>;

/** A project together with what its charges of the current month come to. */
export interface ProjectWithUsage extends Project {
  readonly usage: Usage;
}

export type Charge = Selectable<Schema["charges"]>;

/** Whose projects a query may see, and which of those. Every list that is empty narrows nothing. */
export interface ProjectScope {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** Only projects that name one of these agents. Lower case. */
  readonly agentIds: readonly string[];
  /** Only these projects. */
  readonly projectIds: readonly string[];
}

/** A project is always asked for together with its scope: no query here takes a bare id. */
export interface ProjectKey extends ProjectScope {
  readonly projectId: ProjectId;
}

/** A project that has been found and is the caller's to reach. */
export type FoundProject = Pick<Project, "tenantId" | "projectId">;

type OnProjects = ExpressionBuilder<Schema, "projects">;

function inScope({ tenantId, mode, agentIds, projectIds }: ProjectScope) {
  return (eb: OnProjects) =>
    eb.and([
      eb("projects.tenantId", "=", tenantId),
      eb("projects.mode", "=", mode),
      eb("projects.deletedAt", "is", null),
      // That an empty list narrows nothing is said in SQL, so that every scope has one statement.
      sql<boolean>`(${agentIds}::text[] = '{}' or ${eb.ref("projects.agentIds")} && ${agentIds}::text[])`,
      sql<boolean>`(${projectIds}::text[] = '{}' or ${eb.ref("projects.projectId")} = any(${projectIds}::text[]))`,
    ]);
}

/** Projects and their usage of the period in one statement, since `GET /projects/{id}` is the hot path. */
function selectWithUsage(db: Db, { start, end }: Period) {
  return db
    .selectFrom("projects")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("charges")
          .select(({ fn, lit }) => [
            fn
              .coalesce(
                fn
                  .sum<bigint>("charges.amountCents")
                  .filterWhere("charges.status", "in", [...SPENT_STATUSES]),
                lit(0),
              )
              .as("spentCents"),
            fn
              .coalesce(
                fn
                  .sum<bigint>("charges.amountCents")
                  .filterWhere("charges.status", "=", "reserved"),
                lit(0),
              )
              .as("reservedCents"),
          ])
          .whereRef("charges.tenantId", "=", "projects.tenantId")
          .whereRef("charges.projectId", "=", "projects.projectId")
          .where("charges.occurredAt", ">=", start)
          .where("charges.occurredAt", "<", end)
          .as("usage"),
      (join) => join.onTrue(),
    )
    .selectAll("projects")
    .select(["usage.spentCents", "usage.reservedCents"]);
}

type UsageRow = Project & {
  readonly spentCents: bigint | number;
  readonly reservedCents: bigint | number;
};

function withUsage(
  { spentCents, reservedCents, ...project }: UsageRow,
  period: Period,
): ProjectWithUsage {
  return {
    ...project,
    usage: { period, spentCents: BigInt(spentCents), reservedCents: BigInt(reservedCents) },
  };
}

/** The project, or `project_not_found`, which another tenant's, one of the other mode and one out of the key's reach are too. */
export async function getProjectWithUsage(
  db: Db,
  key: ProjectKey,
  period: Period,
): Promise<ProjectWithUsage> {
  const [row] = await selectProjectWithUsage(db, { ...key, ...period });
  return row === undefined ? projectNotFound(key) : withUsage(row, period);
}

const selectProjectWithUsage = compileOnce((db, parameters: ProjectKey & Period) =>
  selectWithUsage(db, parameters)
    .where(inScope(parameters))
    .where("projects.projectId", "=", parameters.projectId),
);

/** Projects, newest first. */
export async function listProjectsWithUsage(
  db: Db,
  scope: ProjectScope,
  {
    period,
    limit,
    offset,
  }: { readonly period: Period; readonly limit: number; readonly offset: number },
): Promise<ProjectWithUsage[]> {
  const rows = await selectWithUsage(db, period)
    .where(inScope(scope))
    .orderBy("projects.createdAt", "desc")
    .orderBy("projects.projectId", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map((row) => withUsage(row, period));
}

export async function getProjectRow(db: Db, key: ProjectKey): Promise<Project> {
  const project = await db
    .selectFrom("projects")
    .selectAll()
    .where(inScope(key))
    .where("projects.projectId", "=", key.projectId)
    .executeTakeFirst();
  return project ?? projectNotFound(key);
}

/** The project, locked until the transaction ends against everybody else who would change it. */
export async function lockProject(tx: Tx, key: ProjectKey): Promise<Project> {
  const project = await tx
    .selectFrom("projects")
    .selectAll()
    .where(inScope(key))
    .where("projects.projectId", "=", key.projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return project ?? projectNotFound(key);
}

/** Throws a violation of `project_name_taken` where the tenant has a project of this name and mode. */
export async function insertProject(tx: Tx, project: Insertable<ProjectTable>): Promise<Project> {
  return tx.insertInto("projects").values(project).returningAll().executeTakeFirstOrThrow();
}

/** Changes a project that the caller holds locked. */
export async function updateProjectRow(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  change: Updateable<ProjectTable>,
): Promise<Project> {
  return tx
    .updateTable("projects")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What each provider has been paid in the period, by the provider's name. */
export async function listSpendingByProvider(
  db: Db,
  { tenantId, projectId }: FoundProject,
  { start, end }: Period,
) {
  return db
    .selectFrom("charges")
    .select(({ fn }) => [
      "provider",
      fn
        .sum<bigint | null>("amountCents")
        .filterWhere("status", "in", [...SPENT_STATUSES])
        .as("spentCents"),
      fn
        .sum<bigint | null>("amountCents")
        .filterWhere("status", "=", "reserved")
        .as("reservedCents"),
    ])
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("occurredAt", ">=", start)
    .where("occurredAt", "<", end)
    .groupBy("provider")
    .orderBy("provider")
    .execute();
}

/** The newest charges, of whatever month and status. */
export async function listNewestCharges(
  db: Db,
  { tenantId, projectId }: FoundProject,
  limit: number,
): Promise<Charge[]> {
  return db
    .selectFrom("charges")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .orderBy("occurredAt", "desc")
    .orderBy("chargeId", "desc")
    .limit(limit)
    .execute();
}

/** A variable as it may be shown: in which environments it has a value, and never which. */
export interface Variable {
  readonly name: string;
  readonly environments: readonly string[];
  readonly sensitive: boolean;
  readonly version: number;
  readonly updatedAt: Date;
}

/** By bytes, so that every collation pages alike. */
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

/** The project's variables by name, from behind `afterName` on. Read in a transaction of the tenant. */
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

/** One variable, or undefined. Read in a transaction of the tenant. */
export async function findVariable(
  tx: Tx,
  project: FoundProject,
  name: string,
): Promise<Variable | undefined> {
  return selectVariables(tx, project).where("name", "=", name).executeTakeFirst();
}

/** How many variables the project has, and how many bytes their sealed values take, without the one called `name`. */
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

/** Sets a variable in each of the rows' environments, over what stood there. */
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

/** Marks the variable in all its environments: whether it is sensitive is said of the name, not of one value. */
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

/** Destroys the values of one variable in all environments. */
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

/** Destroys the values of all variables of the project. */
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

/** How many variables the project has. */
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

/** A value as it is stored. */
export interface SealedVariable {
  readonly name: string;
  readonly valueSealed: Buffer;
  readonly sensitive: boolean;
  readonly version: number;
  readonly updatedAt: Date;
}

/**
 * The sealed values of one environment by name, and the version of the bundle that they make: one statement, so that the
 * two belong together whatever is set meanwhile. Read in a transaction of the tenant.
 */
export async function listSealedVariables(
  tx: Tx,
  key: ProjectKey,
  environment: string,
): Promise<{ readonly envVersion: number; readonly variables: readonly SealedVariable[] }> {
  const rows = await tx
    .selectFrom("projects")
    .leftJoin("projectVariables as variable", (join) =>
      join
        .onRef("variable.tenantId", "=", "projects.tenantId")
        .onRef("variable.projectId", "=", "projects.projectId")
        .on("variable.environment", "=", environment),
    )
    .select([
      "projects.envVersion",
      "variable.name",
      "variable.valueSealed",
      "variable.sensitive",
      "variable.version",
      "variable.updatedAt",
    ])
    .where(inScope(key))
    .where("projects.projectId", "=", key.projectId)
    .orderBy(sql`variable.name collate "C"`)
    .execute();
  const [first] = rows;
  if (first === undefined) return projectNotFound(key);
  return { envVersion: first.envVersion, variables: rows.filter(isVariable) };
}

type MaybeVariable = { readonly [Column in keyof SealedVariable]: SealedVariable[Column] | null };

/** A project without variables comes as one row without any. */
function isVariable<Row extends MaybeVariable>(row: Row): row is Row & SealedVariable {
  return row.name !== null;
}

function projectNotFound({ tenantId, mode, projectId }: ProjectKey): never {
  throw new AppError("project_not_found", {
    internal: `no project ${projectId} of ${tenantId} in ${mode} mode within reach`,
  });
}
