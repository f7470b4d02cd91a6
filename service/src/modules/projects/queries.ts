import { type ExpressionBuilder, sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countRows, exists, lockName, rowsWhere, sameColumns, updateWhere } from "../../db/where.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ProjectId, TenantId } from "../../foundation/ids.ts";
import { type UsdMicros, usdMicros } from "../../foundation/money.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { PROJECT_CAP } from "./caps.ts";
import { type Period, periodOf, type Usage } from "./usage.ts";

export const projectRows = tableOf("projects", ["tenantId", "projectId"]);

export type Project = Row<"projects">;

/** The place of a project in a list, newest first. */
export type ProjectPosition = Pick<Project, "createdAt" | "projectId">;

/** A project's link to a provider. */
export type LinkSummary = Pick<Row<"providerLinks">, "linkId" | "provider" | "status">;

export type ServiceSummary = Pick<Row<"services">, "serviceId" | "provider" | "service" | "status">;

/** A project's customer at the payment processor. */
export type BillingSummary = Pick<Row<"projectBilling">, "customerId" | "status" | "paymentMethod">;

/** A project with its usage of the current month, its links, its services and its customer at the payment processor. */
export interface ProjectOverview extends Project {
  readonly usage: Usage;
  /** Null if the project has no customer at the payment processor. */
  readonly billing: BillingSummary | null;
  /**
   * One link per provider, sorted by provider. It is the active link if there is one, otherwise the newest. A provider
   * that has no active link is omitted if its newest link is revoked.
   */
  readonly links: readonly LinkSummary[];
  /** Newest first. Removed and failed services are omitted. */
  readonly services: readonly ServiceSummary[];
}

/** A project ID, and the scope that the project must belong to. No query looks up a project by its ID alone. */
export interface ProjectKey extends TenantScope {
  readonly projectId: ProjectId;
}

/** Returns the key of the tenant's project, whatever the caller's scope. */
export function unscopedKey({ tenantId, mode, projectId }: Omit<ProjectKey, "agentIds" | "projectIds">): ProjectKey {
  return { tenantId, mode, projectId, agentIds: [], projectIds: [] };
}

/** Identifies a project within a tenant. Queries that take it do not check the caller's mode, agents or projects. */
export type FoundProject = Pick<Project, "tenantId" | "projectId">;

type OnProjects = ExpressionBuilder<Schema, "projects">;

export function inScope(scope: TenantScope) {
  return (eb: OnProjects) => eb.and([isReadable(scope)(eb), eb("projects.deletedAt", "is", null)]);
}

/** Matches deleted projects too. */
function isReadable({ tenantId, mode, agentIds, projectIds }: TenantScope) {
  return (eb: OnProjects) =>
    eb.and([
      eb("projects.tenantId", "=", tenantId),
      eb("projects.mode", "=", mode),
      // An empty list matches all projects. SQL checks for the empty list, so that every scope uses the same prepared
      // statement.
      sql<boolean>`(${agentIds}::text[] = '{}' or ${eb.ref("projects.agentIds")} && ${agentIds}::text[])`,
      sql<boolean>`(${projectIds}::text[] = '{}' or ${eb.ref("projects.projectId")} = any(${projectIds}::text[]))`,
    ]);
}

/**
 * Selects the whole overview in one statement, because this query runs often and each statement is a round trip to the
 * database.
 */
function selectOverviews(db: Db, { now, start }: Moment) {
  return db
    .selectFrom("projects")
    .leftJoin("budgetPeriods as usage", (join) =>
      join
        .onRef("usage.tenantId", "=", "projects.tenantId")
        .on("usage.budgetId", "=", sql<string>`${PROJECT_CAP}::text || ':' || projects.project_id`)
        .on("usage.periodStart", "=", start),
    )
    .leftJoin("projectBilling as billing", sameColumns("billing", "projects", ["tenantId", "projectId"]))
    .selectAll("projects")
    .select([
      "usage.spentMicros",
      "usage.heldMicros",
      "billing.customerId",
      "billing.status as billingStatus",
      "billing.paymentMethod",
      linkSummaries(now).as("links"),
      SERVICE_SUMMARIES.as("services"),
    ]);
}

/** A time, and the calendar month that contains it. */
interface Moment extends Period {
  readonly now: Date;
}

function momentOf(now: Date): Moment {
  return { now, ...periodOf(now) };
}

const NO_MICROS = usdMicros(0n);

function linkSummaries(now: Date) {
  return sql<readonly LinkSummary[]>`(
    select coalesce(json_agg(json_build_object('linkId', link_id, 'provider', provider, 'status', status)
      order by provider), '[]')
    from (
      select distinct on (provider) link_id, provider,
        case when status = 'pending_auth' and expires_at <= ${now} then 'expired' else status end as status
      from provider_links as link
      where link.tenant_id = projects.tenant_id and link.project_id = projects.project_id
      order by provider, link.status = 'linked' desc, created_at desc, link_id desc
    ) as newest
    where status <> 'revoked')`;
}

const SERVICE_SUMMARIES = sql<readonly ServiceSummary[]>`(
  select coalesce(json_agg(
    json_build_object('serviceId', service_id, 'provider', provider, 'service', service.service, 'status', service.status)
    order by service.created_at desc, service_id desc), '[]')
  from services as service
  where service.tenant_id = projects.tenant_id and service.project_id = projects.project_id
    and service.status not in ('removed', 'failed'))`;

type OverviewRow = Omit<ProjectOverview, "usage" | "billing"> & {
  /** Null if nothing was reserved in this month. */
  readonly spentMicros: UsdMicros | null;
  readonly heldMicros: UsdMicros | null;
  readonly customerId: string | null;
  readonly billingStatus: BillingSummary["status"] | null;
  readonly paymentMethod: BillingSummary["paymentMethod"];
};

function overviewOf(row: OverviewRow, { start, end }: Moment): ProjectOverview {
  const { customerId, billingStatus, paymentMethod } = row;
  const isCustomer = customerId !== null && billingStatus !== null;
  return {
    ...row,
    usage: {
      period: { start, end },
      spentMicros: row.spentMicros ?? NO_MICROS,
      reservedMicros: row.heldMicros ?? NO_MICROS,
    },
    billing: isCustomer ? { customerId, status: billingStatus, paymentMethod } : null,
  };
}

/**
 * Returns the project with its usage at `now`. Throws `project_not_found`, including for a project in another tenant or
 * mode and for a project that the API key is not bound to.
 */
export async function getProjectOverview(db: Db, key: ProjectKey, now: Date): Promise<ProjectOverview> {
  const moment = momentOf(now);
  const [row] = await selectOverview(db, { ...key, ...moment });
  return row === undefined ? projectNotFound(key) : overviewOf(row, moment);
}

const selectOverview = compileOnce((db, parameters: ProjectKey & Moment) =>
  selectOverviews(db, parameters).where(inScope(parameters)).where("projects.projectId", "=", parameters.projectId),
);

/** Returns those of the given IDs that belong to projects in the tenant and mode. */
export async function listKnownProjectIds(
  db: Db,
  command: {
    readonly tenantId: TenantId;
    readonly mode: Mode;
    readonly projectIds: readonly string[];
  },
): Promise<string[]> {
  if (command.projectIds.length === 0) return [];
  const rows = await db
    .selectFrom("projects")
    .select("projectId")
    .where(inScope({ ...command, agentIds: [] }))
    .execute();
  return rows.map(({ projectId }) => projectId);
}

interface ListProjectOverviews {
  readonly now: Date;
  readonly after: ProjectPosition | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Returns projects with their usage at `now`, newest first. */
export async function listProjectOverviews(
  db: Db,
  scope: TenantScope,
  { now, after, limit, offset }: ListProjectOverviews,
): Promise<ProjectOverview[]> {
  const moment = momentOf(now);
  const rows = await selectOverviews(db, moment)
    .where(inScope(scope))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(projects.created_at, projects.project_id) < (${after?.createdAt}, ${after?.projectId})`,
      ),
    )
    .orderBy("projects.createdAt", "desc")
    .orderBy("projects.projectId", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map((row) => overviewOf(row, moment));
}

export async function getProjectRow(db: Db, key: ProjectKey): Promise<Project> {
  return (await selectProject(db, key).executeTakeFirst()) ?? projectNotFound(key);
}

/** Returns the project, also if it was deleted: what it cost stays readable. Throws `project_not_found`. */
export async function getProjectEvenDeleted(db: Db, key: ProjectKey): Promise<Project> {
  const projects = db.selectFrom("projects").selectAll().where(isReadable(key));
  const project = await projects.where("projects.projectId", "=", key.projectId).executeTakeFirst();
  return project ?? projectNotFound(key);
}

/** Returns true if the project exists in the scope. */
export async function isProjectInScope(db: Db, key: ProjectKey): Promise<boolean> {
  return exists(selectProject(db, key));
}

function selectProject(db: Db, key: ProjectKey) {
  return db.selectFrom("projects").selectAll().where(inScope(key)).where("projects.projectId", "=", key.projectId);
}

/** Returns the project and locks its row until the transaction ends. Throws `project_not_found`. */
export async function lockProject(tx: Tx, key: ProjectKey): Promise<Project> {
  const project = await selectProject(tx, key).forNoKeyUpdate().executeTakeFirst();
  return project ?? projectNotFound(key);
}

/** Counts the tenant's projects in one mode. Takes a lock until the transaction ends, so concurrent calls wait. */
export async function countProjectsLocked(
  tx: Tx,
  { tenantId, mode }: Pick<TenantScope, "tenantId" | "mode">,
): Promise<number> {
  await lockName(tx, `projects ${tenantId} ${mode}`);
  return countRows(rowsWhere(tx, "projects", { tenantId, mode }).where("deletedAt", "is", null));
}

/** Increments the version number of the project's environments. The update locks the project row. */
export async function incrementEnvVersion(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  updatedAt: Date,
): Promise<void> {
  await updateWhere(tx, "projects", { tenantId, projectId })
    .set(({ eb }) => ({ envVersion: eb("envVersion", "+", 1), updatedAt }))
    .execute();
}

export function projectNotFound({ tenantId, mode, projectId }: ProjectKey): never {
  throw new AppError("project_not_found", {
    internal: `the caller cannot access project ${projectId} of ${tenantId} in ${mode} mode`,
  });
}
