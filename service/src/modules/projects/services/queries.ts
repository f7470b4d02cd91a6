import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Schema, ServiceTable } from "../../../db/schema.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ServiceId, TenantId } from "../../../foundation/ids.ts";
import type { FoundProject } from "../queries.ts";

export type Service = Selectable<ServiceTable>;

/** A service as the workflow that works on it knows it. */
export interface ServiceKey {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
}

export type ServiceSecret = Selectable<Schema["serviceSecrets"]>;

/** Of a service that was removed, or never came to be, nothing is at the provider and no name is taken. */
const GONE_STATUSES = ["removed", "failed"] as const;

/** The service, or `service_not_found`, which one of another project and a removed one are too. */
export async function getServiceRow(
  db: Db,
  project: FoundProject,
  serviceId: ServiceId,
): Promise<Service> {
  const service = await selectService(db, project, serviceId).executeTakeFirst();
  return service ?? serviceNotFound(serviceId);
}

/** As above, locked until the transaction ends against everybody else who would change it. */
export async function lockService(
  tx: Tx,
  project: FoundProject,
  serviceId: ServiceId,
): Promise<Service> {
  const service = await selectService(tx, project, serviceId).forNoKeyUpdate().executeTakeFirst();
  return service ?? serviceNotFound(serviceId);
}

function selectService(db: Db, { tenantId, projectId }: FoundProject, serviceId: ServiceId) {
  return db
    .selectFrom("services")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("serviceId", "=", serviceId)
    .where("status", "!=", "removed");
}

/** A page of the project's services without removed ones, newest first, from behind `afterServiceId` on. */
export async function listServiceRows(
  db: Db,
  { tenantId, projectId }: FoundProject,
  {
    afterServiceId,
    limit,
  }: { readonly afterServiceId: string | undefined; readonly limit: number },
): Promise<Service[]> {
  return db
    .selectFrom("services")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("status", "!=", "removed")
    .$if(afterServiceId !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, service_id) < (select created_at, service_id from services
          where tenant_id = ${tenantId} and project_id = ${projectId} and service_id = ${afterServiceId})`,
      ),
    )
    .orderBy("createdAt", "desc")
    .orderBy("serviceId", "desc")
    .limit(limit)
    .execute();
}

/** The services of the project that are there, or may be: neither removed nor failed. Oldest first. */
export async function listServicesInPlace(
  db: Db,
  { tenantId, projectId }: FoundProject,
): Promise<Service[]> {
  return db
    .selectFrom("services")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("status", "not in", [...GONE_STATUSES])
    .orderBy("createdAt")
    .orderBy("serviceId")
    .execute();
}

/** One version of a secret, or undefined. Read in a transaction of the tenant. */
export async function findServiceSecret(
  tx: Tx,
  {
    tenantId,
    serviceId,
    kind,
    version,
  }: Pick<ServiceSecret, "serviceId" | "kind" | "version"> & { readonly tenantId: TenantId },
): Promise<ServiceSecret | undefined> {
  return tx
    .selectFrom("serviceSecrets")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .where("kind", "=", kind)
    .where("version", "=", version)
    .executeTakeFirst();
}

function serviceNotFound(serviceId: string): never {
  throw new AppError("service_not_found", {
    internal: `no service ${serviceId} of this project, or no longer`,
  });
}

/** Throws a violation of `service_name_taken` where the project has a service of this name. */
export async function insertService(tx: Tx, service: Insertable<ServiceTable>): Promise<Service> {
  return tx.insertInto("services").values(service).returningAll().executeTakeFirstOrThrow();
}

/** A service by its id alone, locked, whatever became of it: for the workflow that works on it. */
export async function lockServiceById(
  tx: Tx,
  { tenantId, serviceId }: ServiceKey,
): Promise<Service> {
  return tx
    .selectFrom("services")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateServiceRow(
  tx: Tx,
  { tenantId, serviceId }: ServiceKey,
  change: Updateable<ServiceTable>,
): Promise<Service> {
  return tx
    .updateTable("services")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function insertServiceSecret(
  tx: Tx,
  secret: Insertable<Schema["serviceSecrets"]>,
): Promise<void> {
  await tx.insertInto("serviceSecrets").values(secret).execute();
}

/** Destroys every secret of the service. */
export async function deleteServiceSecrets(
  tx: Tx,
  { tenantId, serviceId }: ServiceKey,
): Promise<void> {
  await tx
    .deleteFrom("serviceSecrets")
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .execute();
}

/** A service by its id alone, whatever became of it. */
export async function getServiceById(
  db: Db,
  { tenantId, serviceId }: ServiceKey,
): Promise<Service> {
  return db
    .selectFrom("services")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .executeTakeFirstOrThrow();
}

/** The services that were there at `since`, oldest first, whatever became of them. Failed additions never were. */
export async function listServicesSince(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  since: Date,
): Promise<Service[]> {
  return tx
    .selectFrom("services")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("status", "!=", "failed")
    .where(({ eb, or }) => or([eb("removedAt", "is", null), eb("removedAt", ">=", since)]))
    .orderBy("createdAt")
    .orderBy("serviceId")
    .execute();
}
