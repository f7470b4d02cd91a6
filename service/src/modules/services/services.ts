import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { ListedPage, Page } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { appendEvent } from "../../events/events.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError } from "../../foundation/errors.ts";
import type { OperationId, ServiceId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { findOpenOperationOf, listOperationsOf } from "../../operations/queries.ts";
import { openVault } from "../../vault/vault.ts";
import { getProjectRow, type ProjectKey } from "../projects/queries.ts";
import {
  getServiceRow,
  listServiceRows,
  SERVICE_STATUSES_IN_BUNDLE,
  type Service,
  type ServiceKey,
  serviceRows,
  serviceSecretVersionRows,
} from "./queries.ts";
import { type CredentialPull, listCredentialPulls } from "./rotation/queries.ts";
import { fingerprintOf, openServiceEnv, toProjectNames } from "./service-env.ts";
import { PULLERS_MAX, presentService } from "./service-resource.ts";

export const ADD_SERVICE = "service.add";
export const ROTATE_SERVICE = "service.rotate";
export const REMOVE_SERVICE = "service.remove";
export const UPGRADE_SERVICE = "service.upgrade";

/**
 * Records that the provider has lost a service's resource, or has it again. Does nothing if that is recorded already, or if
 * the service has another resource by now, or none.
 */
export async function recordResourcePresence(
  app: Pick<App, "db" | "clock">,
  { resourceId, ...key }: ServiceKey & { readonly resourceId: string },
  isMissing: boolean,
): Promise<void> {
  const at = app.clock.now();
  await withTransaction(app.db, key.tenantId, async (tx) => {
    const before = await serviceRows.lockAndGet(tx, key);
    if (before.providerResourceId !== resourceId || !isContributing(before)) return;
    if ((before.resourceMissingSince !== null) === isMissing) return;
    const resourceMissingSince = isMissing ? at : null;
    const service = await serviceRows.updateAndGet(tx, key, { resourceMissingSince, updatedAt: at });
    const action = isMissing ? "service.resource_missing" : "service.resource_found";
    await recordServiceChange(tx, systemActor(service), { action, service, occurredAt: at });
  });
}

function isContributing({ status }: Service): boolean {
  return SERVICE_STATUSES_IN_BUNDLE.some((each) => each === status);
}

/** Maps audit actions to event types. Null if the action has no event. */
const EVENTS = {
  "service.requested": "service.provisioning",
  "service.added": "service.active",
  "service.failed": "service.failed",
  "service.plan_change_requested": null,
  "service.plan_change_scheduled": "service.plan_change_scheduled",
  "service.plan_change_canceled": "service.plan_change_canceled",
  "service.plan_changed": "service.plan_changed",
  "service.plan_change_failed": "service.plan_change_failed",
  "service.removal_requested": null,
  "service.removed": "service.removed",
  "service.rotation_requested": null,
  "service.rotation_published": "service.rotation_pending",
  "service.rotation_unchanged": null,
  "service.rotation_failed": null,
  "service.rotated": "service.rotated",
  "service.resource_missing": "service.resource_missing",
  "service.resource_found": "service.resource_found",
} as const;

interface RecordServiceChange {
  readonly action: keyof typeof EVENTS;
  readonly service: Service;
  readonly facts?: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

export async function recordServiceChange(
  tx: Tx,
  actor: Actor,
  { action, service, facts = {}, occurredAt }: RecordServiceChange,
): Promise<void> {
  const subject = { type: "service", id: service.serviceId };
  const commonFacts = {
    project_id: service.projectId,
    service: service.service,
    plan: service.plan,
  };
  const entry = { action, subject, facts: { ...commonFacts, ...facts }, occurredAt };
  await appendAuditEntry(tx, actor, entry);
  const type = EVENTS[action];
  if (type === null) return;
  await appendEvent(tx, actor, { type, subject, data: presentService(service), occurredAt });
}

/** Returns the operation that adds or changes the service and has not ended. Undefined if there is none. */
export async function findChange(tx: Tx, { tenantId, serviceId: subjectId }: Pick<Service, "tenantId" | "serviceId">) {
  const open = await findOpenOperationOf(tx, { tenantId, subjectId });
  return open?.type === REMOVE_SERVICE ? undefined : open;
}

/** Throws `conflict` with the URL of the operation that adds or changes the service, until it has ended. */
export async function throwIfChanging(tx: Tx, service: Service): Promise<void> {
  const change = await findChange(tx, service);
  if (change !== undefined) throw changing(service, change);
}

/** Throws `conflict` with the URL of the change of plan about which an operator has to decide. */
export async function throwIfUndecided(tx: Tx, service: Service): Promise<void> {
  if (service.status !== "updating") return;
  const { tenantId, serviceId: subjectId } = service;
  const [operationId] = await listOperationsOf(tx, { tenantId, type: UPGRADE_SERVICE, subjectId }, 1);
  invariant(operationId !== undefined, "a service that is updating has an operation");
  throw new AppError("conflict", {
    detail: `It is not known yet which plan the provider has in place: the operation ${operationId} needs an operator. Repeat the call when its status is another one.`,
    nextAction: waitFor(service, operationId),
  });
}

/** Returns the `conflict` error for a service that this operation changes. */
export function changing(
  service: Pick<Service, "projectId">,
  { type, operationId }: { readonly type: string; readonly operationId: OperationId },
): AppError {
  return new AppError("conflict", {
    detail: `The operation ${operationId} (${type}) has not ended. Repeat the call when it has.`,
    retryAfterSeconds: 2,
    nextAction: waitFor(service, operationId),
  });
}

/** Returns the `next_action` that tells the caller which operation to wait for. */
function waitFor({ projectId }: Pick<Service, "projectId">, operationId: OperationId) {
  const url = `/api/v1/svc/projects/${projectId}/operations/${operationId}`;
  return { type: "wait_for_operation", actor: "agent", url } as const;
}

interface FoundService {
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

interface ServiceEnv {
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
