import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { ListedPage, Page } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { openVault } from "../../vault/open-vault.ts";
import { getProjectRow, type ProjectKey } from "../projects/queries.ts";
import { getServiceRow, listServiceRows, type Service, serviceRows, serviceSecretVersionRows } from "./queries.ts";
import { type CredentialPull, listCredentialPulls } from "./rotation/queries.ts";
import { fingerprintOf, openServiceEnv, toProjectNames } from "./service-env.ts";
import { PULLERS_MAX } from "./service-resource.ts";

export interface FoundService {
  readonly service: Service;
  /** Newest first, at most `PULLERS_MAX`. */
  readonly pulls: readonly CredentialPull[];
}

/**
 * Returns one of the project's services, and the API keys that have pulled its credential. Throws `project_not_found`, or
 * `service_not_found` if the service does not exist or was removed.
 */
export async function getService(
  app: Pick<App, "db">,
  { key, serviceId }: { readonly key: ProjectKey; readonly serviceId: ServiceId },
): Promise<FoundService> {
  const project = await getProjectRow(app.db, key);
  const service = await getServiceRow(app.db, project, serviceId);
  return { service, pulls: await listCredentialPulls(app.db, service, PULLERS_MAX) };
}

/** Returns the service that an operation belongs to, whatever its status, including failed and removed services. */
export async function getServiceOfOperation(
  { db }: Pick<App, "db">,
  { tenantId }: ProjectKey,
  serviceId: ServiceId,
): Promise<Service> {
  return serviceRows.get(db, { tenantId, serviceId });
}

/** Returns one page of the project's services, newest first. Removed services are omitted. Throws `project_not_found`. */
export async function listServices(
  { db }: Pick<App, "db">,
  { key, ...page }: Page<string> & { readonly key: ProjectKey },
): Promise<ListedPage<Service>> {
  return listServiceRows(db, await getProjectRow(db, key), page);
}

export interface ServiceEnv {
  /** The plaintext values by name. Use them only in the response; never store or log them. */
  readonly env: Readonly<Record<string, string>>;
  readonly fingerprint: string;
}

/**
 * Decrypts the variables of a new service for the caller that added it. The audit entry is committed before the values
 * are returned. `authorize` throws if the caller must not read them.
 */
export async function readServiceEnv(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  actor: Actor,
  service: Service,
  authorize: (tx: Tx) => Promise<void>,
): Promise<ServiceEnv> {
  const { tenantId, serviceId, credentialVersion: version } = service;
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    await authorize(tx);
    const secret = await serviceSecretVersionRows.find(tx, { tenantId, serviceId, kind: "env", version });
    invariant(secret !== undefined, "an active service has stored credentials");
    const { valueSealed } = secret;
    const env = toProjectNames(service, openServiceEnv(vault, { serviceId, version, valueSealed }));
    await appendAuditEntry(tx, actor, {
      action: "env.pulled",
      subject: { type: "service", id: serviceId },
      facts: { project_id: service.projectId, count: Object.keys(env).length, by: "service.add" },
      occurredAt: app.clock.now(),
    });
    return { env, fingerprint: fingerprintOf(env) };
  });
}
