import { type Selectable, sql } from "kysely";
import { compileOnce } from "../../../db/compile-once.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { WITH_NEXT } from "../../../db/round-trips.ts";
import type { Row, Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { exists, rowsWhere, selectWhere } from "../../../db/where.ts";
import type { ApiKeyId, ServiceId, TenantId } from "../../../foundation/ids.ts";
import type { Service, ServiceKey } from "../queries.ts";

export const rotationRows = tableOf("serviceRotations", ["tenantId", "operationId"]);

/** The rotation that has published a credential of a service. The first credential has none. */
export const rotationRowsByCredential = tableOf("serviceRotations", ["tenantId", "serviceId", "credentialVersion"]);

export const credentialPullRows = tableOf("credentialPulls", ["tenantId", "serviceId"]);

export type Rotation = Row<"serviceRotations">;

/** An API key, and the version of a service's credential that it has pulled last. */
export type CredentialPull = Pick<Selectable<Schema["credentialPulls"]>, "keyId" | "version" | "pulledAt">;

/** Returns the last pull of each API key: the oldest versions first, and the newest pulls of a version first. */
export async function listCredentialPulls(
  db: Db,
  { tenantId, serviceId }: ServiceKey,
  limit: number,
): Promise<CredentialPull[]> {
  return selectWhere(db, "credentialPulls", { tenantId, serviceId })
    .select(["keyId", "version", "pulledAt"])
    .orderBy("version")
    .orderBy("pulledAt", "desc")
    .orderBy("keyId")
    .limit(limit)
    .execute();
}

interface NewPulls {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly versions: ReadonlyMap<ServiceId, number>;
  readonly pulledAt: Date;
}

/**
 * Stores the versions that an API key has pulled. A repeated pull of the same version is stored once a minute. The statement
 * is sent with the transaction's next one, because env pulls are frequent.
 */
export async function saveCredentialPulls(tx: Tx, { versions, ...pull }: NewPulls): Promise<void> {
  const serviceIds = [...versions.keys()];
  await upsertPulls(tx, { ...pull, serviceIds, versions: [...versions.values()] });
}

const upsertPulls = compileOnce(
  (
    tx,
    pulls: Omit<NewPulls, "versions"> & {
      readonly serviceIds: readonly ServiceId[];
      readonly versions: readonly number[];
    },
  ) => {
    const upsert = sql`
      insert into credential_pulls as earlier (tenant_id, service_id, key_id, version, pulled_at)
      select ${pulls.tenantId}::text, service_id, ${pulls.keyId}::text, version, ${pulls.pulledAt}::timestamptz
      from unnest(${pulls.serviceIds}::text[], ${pulls.versions}::integer[]) as pulled (service_id, version)
      order by service_id
      on conflict (tenant_id, service_id, key_id) do update
        set version = excluded.version, pulled_at = excluded.pulled_at
        where earlier.version <> excluded.version or earlier.pulled_at <= excluded.pulled_at - interval '1 minute'`;
    return { compile: () => upsert.compile(tx) };
  },
  { marker: WITH_NEXT },
);

/** Returns whether an API key has last pulled a version before the current one. */
export async function isFormerVersionInUse(
  db: Db,
  { tenantId, serviceId, credentialVersion }: ServiceKey & Pick<Service, "credentialVersion">,
): Promise<boolean> {
  return exists(rowsWhere(db, "credentialPulls", { tenantId, serviceId }).where("version", "<", credentialVersion));
}
