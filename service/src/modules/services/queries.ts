import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { isAfter, type ListedPage, type Page, readNewest } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { deleteWhere, exists, rowsWhere, selectWhere } from "../../db/where.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import type { FoundProject } from "../projects/queries.ts";

export const serviceRows = tableOf("services", ["tenantId", "serviceId"]);

export const serviceSecretRows = tableOf("serviceSecrets", ["tenantId", "serviceId"]);
/** Row-level security hides the secrets outside the tenant's transactions. */
export const serviceSecretVersionRows = tableOf("serviceSecrets", ["tenantId", "serviceId", "kind", "version"]);

export type Service = Row<"services">;

/** The IDs that workflows use to find a service. */
export type ServiceKey = Pick<Row<"services">, "tenantId" | "serviceId">;

export type ServiceSecret = Selectable<Schema["serviceSecrets"]>;

/** A service with one of these statuses has no resource at the provider, and another service can take its name. */
const ENDED_STATUSES = ["removed", "failed"] as const;

/** The statuses of services whose variables are part of env bundles. */
export const SERVICE_STATUSES_IN_BUNDLE = ["active", "rotating", "updating"] as const;

/**
 * Returns the service. Throws `service_not_found`, including for a removed service and for a service in another
 * project.
 */
export async function getServiceRow(db: Db, project: FoundProject, serviceId: ServiceId): Promise<Service> {
  const service = await selectService(db, project, serviceId).executeTakeFirst();
  return service ?? serviceNotFound(serviceId);
}

/** Same as `getServiceRow`, but also locks the row until the transaction ends. */
export async function lockService(tx: Tx, project: FoundProject, serviceId: ServiceId): Promise<Service> {
  const service = await selectService(tx, project, serviceId).forNoKeyUpdate().executeTakeFirst();
  return service ?? serviceNotFound(serviceId);
}

function selectService(db: Db, { tenantId, projectId }: FoundProject, serviceId: ServiceId) {
  return rowsWhere(db, "services", { tenantId, projectId, serviceId }).where("status", "!=", "removed");
}

/** Returns one page of the project's services, newest first. Removed services are omitted. */
export async function listServiceRows(
  db: Db,
  { tenantId, projectId }: FoundProject,
  { after, limit }: Page<string>,
): Promise<ListedPage<Service>> {
  const services = rowsWhere(db, "services", { tenantId, projectId }).where("status", "!=", "removed");
  return readNewest(services, { tenantId, table: "services", column: "serviceId" }, { after, limit });
}

/** Returns the project's services that have, or may have, a resource at the provider, oldest first. */
export async function listServicesInPlace(db: Db, { tenantId, projectId }: FoundProject): Promise<Service[]> {
  return rowsWhere(db, "services", { tenantId, projectId })
    .where("status", "not in", [...ENDED_STATUSES])
    .orderBy("createdAt")
    .orderBy("serviceId")
    .execute();
}

function serviceNotFound(serviceId: string): never {
  throw new AppError("service_not_found", {
    internal: `the project has no service ${serviceId}, or it was removed`,
  });
}

/** Returns true if another service of the tenant uses this resource of the provider. */
export async function isResourceOfOther(
  db: Db,
  {
    tenantId,
    serviceId,
    provider,
    resourceId,
  }: ServiceKey & { readonly provider: string; readonly resourceId: string },
): Promise<boolean> {
  return exists(
    rowsWhere(db, "services", { tenantId, provider, providerResourceId: resourceId })
      .where("status", "not in", ["removed", "failed"])
      .where("serviceId", "!=", serviceId),
  );
}

/** Deletes the service's secrets of one version. */
export async function deleteServiceSecretsOf(
  tx: Tx,
  { tenantId, serviceId }: ServiceKey,
  version: number,
): Promise<void> {
  await deleteWhere(tx, "serviceSecrets", { tenantId, serviceId, version }).execute();
}

/**
 * Returns which of these services have, or may have, a resource at the provider. Includes services of all tenants, because
 * a person can link the same account in several tenants.
 */
export async function listIdsInPlace(db: Db, serviceIds: readonly string[]): Promise<string[]> {
  const services = await db
    .selectFrom("services")
    .select("serviceId")
    .where("serviceId", "=", sql<ServiceId>`any(${serviceIds})`)
    .where("status", "not in", [...ENDED_STATUSES])
    .execute();
  return services.map(({ serviceId }) => serviceId);
}

/** A service whose resource the provider should have. */
export interface ServiceWithResource extends ServiceKey, Pick<Service, "resourceMissingSince"> {
  readonly resourceId: string;
}

/** Returns the services that use the account of an active link (see `isSameAccount`), in the order of their ids. */
export async function listServicesOfAccount(
  db: Db,
  { tenantId, linkId }: Pick<Service, "tenantId" | "linkId">,
  { after, limit }: Page<ServiceWithResource>,
): Promise<ServiceWithResource[]> {
  return selectWhere(db, "services", { tenantId })
    .select(["tenantId", "serviceId", "resourceMissingSince"])
    .select(sql<string>`provider_resource_id`.as("resourceId"))
    .where("status", "in", [...SERVICE_STATUSES_IN_BUNDLE])
    .where("providerResourceId", "is not", null)
    .where(
      sql<boolean>`link_id in (
        select own.link_id from provider_links own join provider_links active using (tenant_id, provider)
        where tenant_id = ${tenantId} and active.link_id = ${linkId}
          and own.account_id is not distinct from active.account_id
          and (own.account_id is not null or own.account_label is not distinct from active.account_label))`,
    )
    .where(isAfter(after, ["serviceId"]))
    .orderBy("serviceId")
    .limit(limit)
    .execute();
}

/**
 * Returns the services that existed at `since` or were added later. Removed services are included, failed ones are not.
 */
export async function listServicesSince(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  since: Date,
): Promise<Service[]> {
  return rowsWhere(tx, "services", { tenantId, projectId })
    .where("status", "!=", "failed")
    .where(({ eb, or }) => or([eb("removedAt", "is", null), eb("removedAt", ">=", since)]))
    .orderBy("createdAt")
    .orderBy("serviceId")
    .execute();
}

/**
 * The stored size of each variable (name and encrypted value) and of each service's encrypted variables, by
 * environment.
 */
export const BUNDLE_PARTS = sql`(
  select variable.environment, octet_length(variable.name) + octet_length(variable.value_sealed) as bytes
  from project_variables as variable
  where variable.tenant_id = projects.tenant_id and variable.project_id = projects.project_id
  union all
  select unnest(service.environments), octet_length(secret.value_sealed)
  from services as service
  join service_secrets as secret on secret.tenant_id = service.tenant_id and secret.service_id = service.service_id
    and secret.kind = 'env' and secret.version = service.credential_version
  where service.tenant_id = projects.tenant_id and service.project_id = projects.project_id
)`;

/**
 * Returns the stored size in bytes of the project's largest env bundle. An env bundle contains all variables of one
 * environment.
 */
export async function measureLargestBundle(tx: Tx, { tenantId, projectId }: FoundProject): Promise<bigint> {
  const { bytes } = await selectWhere(tx, "projects", { tenantId, projectId })
    .select(
      sql<bigint>`(
        select coalesce(max(bytes), 0)::bigint
        from (select sum(bytes) as bytes from ${BUNDLE_PARTS} as part group by environment) as bundle
      )`.as("bytes"),
    )
    .executeTakeFirstOrThrow();
  return bytes;
}
