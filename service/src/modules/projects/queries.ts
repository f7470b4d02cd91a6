import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { ProjectBillingTable, ProjectTable, Schema } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import type { LinkId, ProjectId, ServiceId, TenantId } from "../../foundation/ids.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import type { LinkStatus, Mode, ServiceStatus } from "../../foundation/vocabulary.ts";
import { type Period, periodOf, SPENT_STATUSES, type Usage } from "./usage.ts";

export type Project = Selectable<ProjectTable>;

/** How a project stands with a provider. */
export interface LinkSummary {
  readonly linkId: LinkId;
  readonly provider: string;
  readonly status: LinkStatus;
}

export interface ServiceSummary {
  readonly serviceId: ServiceId;
  readonly provider: string;
  /** `provider/slug`. */
  readonly service: string;
  readonly status: ServiceStatus;
}

/** A project's customer at the payment processor. */
export type BillingSummary = Pick<
  Selectable<ProjectBillingTable>,
  "customerId" | "status" | "paymentMethod"
>;

/** A project together with what its charges of the current month come to, and what it is made of. */
export interface ProjectOverview extends Project {
  readonly usage: Usage;
  /** Null until there is a customer. */
  readonly billing: BillingSummary | null;
  /** By provider: the link in force, or else what became of the newest. Revoked ones are gone. */
  readonly links: readonly LinkSummary[];
  /** Newest first, without those that were removed or never came to be. */
  readonly services: readonly ServiceSummary[];
}

/** A project is always asked for together with its scope: no query here takes a bare id. */
export interface ProjectKey extends TenantScope {
  readonly projectId: ProjectId;
}

/** A project that has been found and is the caller's to reach. */
export type FoundProject = Pick<Project, "tenantId" | "projectId">;

type OnProjects = ExpressionBuilder<Schema, "projects">;

export function inScope({ tenantId, mode, agentIds, projectIds }: TenantScope) {
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

/** Everything of an overview in one statement, since `GET /projects/{id}` is the hot path. */
function selectOverviews(db: Db, { now, start, end }: Moment) {
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
    .leftJoin("projectBilling as billing", (join) =>
      join
        .onRef("billing.tenantId", "=", "projects.tenantId")
        .onRef("billing.projectId", "=", "projects.projectId"),
    )
    .selectAll("projects")
    .select((eb) => [
      "usage.spentCents",
      "usage.reservedCents",
      "billing.customerId",
      "billing.status as billingStatus",
      "billing.paymentMethod",
      linkSummaries(eb, now).$asScalar().$notNull().as("links"),
      serviceSummaries(eb).$asScalar().$notNull().as("services"),
    ]);
}

/** The instant that is asked about, and the calendar month around it. */
interface Moment extends Period {
  readonly now: Date;
}

function momentOf(now: Date): Moment {
  return { now, ...periodOf(now) };
}

/** What an aggregate of no rows is instead of null. */
const NONE = sql<never[]>`'[]'`;

function linkSummaries(eb: OnProjects, now: Date) {
  const newest = eb
    .selectFrom("providerLinks as link")
    .distinctOn("link.provider")
    .select([
      "link.linkId",
      "link.provider",
      sql<LinkStatus>`case when link.status = 'pending_auth' and link.expires_at <= ${now} then 'expired' else link.status end`.as(
        "status",
      ),
    ])
    .whereRef("link.tenantId", "=", "projects.tenantId")
    .whereRef("link.projectId", "=", "projects.projectId")
    .orderBy("link.provider")
    .orderBy(sql`link.status = 'linked'`, "desc")
    .orderBy("link.createdAt", "desc")
    .orderBy("link.linkId", "desc");
  return eb
    .selectFrom(newest.as("newest"))
    .select(({ fn, ref }) =>
      fn
        .coalesce(
          fn
            .jsonAgg(
              jsonBuildObject({
                linkId: ref("newest.linkId"),
                provider: ref("newest.provider"),
                status: ref("newest.status"),
              }),
            )
            .orderBy("newest.provider"),
          NONE,
        )
        .as("summaries"),
    )
    .where("newest.status", "!=", "revoked");
}

function serviceSummaries(eb: OnProjects) {
  return eb
    .selectFrom("services as service")
    .select(({ fn, ref }) =>
      fn
        .coalesce(
          fn
            .jsonAgg(
              jsonBuildObject({
                serviceId: ref("service.serviceId"),
                provider: ref("service.provider"),
                service: ref("service.service"),
                status: ref("service.status"),
              }),
            )
            .orderBy("service.createdAt", "desc")
            .orderBy("service.serviceId", "desc"),
          NONE,
        )
        .as("summaries"),
    )
    .whereRef("service.tenantId", "=", "projects.tenantId")
    .whereRef("service.projectId", "=", "projects.projectId")
    .where("service.status", "not in", ["removed", "failed"]);
}

type OverviewRow = Omit<ProjectOverview, "usage" | "billing"> & {
  readonly spentCents: bigint | number;
  readonly reservedCents: bigint | number;
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
      spentCents: BigInt(row.spentCents),
      reservedCents: BigInt(row.reservedCents),
    },
    billing: isCustomer ? { customerId, status: billingStatus, paymentMethod } : null,
  };
}

/**
 * The project as it stands now, or `project_not_found`, which another tenant's, one of the other mode and one out of the
 * key's reach are too.
 */
export async function getProjectOverview(
  db: Db,
  key: ProjectKey,
  now: Date,
): Promise<ProjectOverview> {
  const moment = momentOf(now);
  const [row] = await selectOverview(db, { ...key, ...moment });
  return row === undefined ? projectNotFound(key) : overviewOf(row, moment);
}

const selectOverview = compileOnce((db, parameters: ProjectKey & Moment) =>
  selectOverviews(db, parameters)
    .where(inScope(parameters))
    .where("projects.projectId", "=", parameters.projectId),
);

/** Which of these are ids of projects of the tenant's, in that mode. */
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

/** Projects as they stand now, newest first. */
export async function listProjectOverviews(
  db: Db,
  scope: TenantScope,
  { now, limit, offset }: { readonly now: Date; readonly limit: number; readonly offset: number },
): Promise<ProjectOverview[]> {
  const moment = momentOf(now);
  const rows = await selectOverviews(db, moment)
    .where(inScope(scope))
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

/** Whether there is such a project in the scope. */
export async function isProjectInScope(db: Db, key: ProjectKey): Promise<boolean> {
  return (await selectProject(db, key).executeTakeFirst()) !== undefined;
}

function selectProject(db: Db, key: ProjectKey) {
  return db
    .selectFrom("projects")
    .selectAll()
    .where(inScope(key))
    .where("projects.projectId", "=", key.projectId);
}

/** The project, locked until the transaction ends against everybody else who would change it. */
export async function lockProject(tx: Tx, key: ProjectKey): Promise<Project> {
  const project = await selectProject(tx, key).forNoKeyUpdate().executeTakeFirst();
  return project ?? projectNotFound(key);
}

/** How many projects the tenant has in this mode. Until the transaction ends, others who count them wait. */
export async function countProjectsLocked(
  tx: Tx,
  { tenantId, mode }: Pick<TenantScope, "tenantId" | "mode">,
): Promise<number> {
  const name = `projects ${tenantId} ${mode}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom("projects")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("deletedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
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

/** Notes that the project's environment is another one now. Locks the project as it does. */
export async function countEnvChange(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  updatedAt: Date,
): Promise<void> {
  await tx
    .updateTable("projects")
    .set(({ eb }) => ({ envVersion: eb("envVersion", "+", 1), updatedAt }))
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .execute();
}

export function projectNotFound({ tenantId, mode, projectId }: ProjectKey): never {
  throw new AppError("project_not_found", {
    internal: `no project ${projectId} of ${tenantId} in ${mode} mode within reach`,
  });
}
