import type { App } from "../../../app.ts";
import { operationActor } from "../../../audit/actors.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { cancelWork, scheduleWork } from "../../../due-work/due-work.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { LinkId, OperationId, ProjectId, ServiceId, TenantId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { findOpenOperation, type Operation, type OperationRow, operationRows } from "../../../operations/queries.ts";
import { findCatalogService } from "../../catalog/plans.ts";
import { getProjectOperation } from "../../projects/projects.ts";
import type { ProjectKey } from "../../projects/queries.ts";
import { lockOwnProject } from "../provisioning/provisioning-context.ts";
import {
  deleteServiceSecretsOf,
  SERVICE_STATUSES_IN_BUNDLE,
  type Service,
  type ServiceKey,
  serviceRows,
  serviceSecretVersionRows,
} from "../queries.ts";
import { ROTATE_SERVICE, recordServiceChange } from "../services.ts";
import { isFormerVersionInUse, type Rotation, rotationRows, rotationRowsByCredential } from "./queries.ts";

/** A credential that the next version replaces. It is saved in workflow checkpoints, so it contains no secrets. */
export interface FormerCredential {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly provider: string;
  readonly linkId: LinkId;
  readonly resourceId: string;
  readonly config: Readonly<Record<string, Json>>;
  readonly formerVersion: number;
}

/**
 * Returns the service's former credential while the provider may still accept it, or null. It is stored until the provider
 * refuses it.
 */
export async function findFormerCredential(tx: Tx, service: Service): Promise<FormerCredential | null> {
  const { tenantId, serviceId, provider, linkId, providerResourceId: resourceId, config } = service;
  const formerVersion = service.credentialVersion - 1;
  const secret = await serviceSecretVersionRows.find(tx, { tenantId, serviceId, kind: "env", version: formerVersion });
  if (secret === undefined || resourceId === null) return null;
  return { tenantId, serviceId, provider, linkId, resourceId, config, formerVersion };
}

/** Data about the service to rotate. It is saved in workflow checkpoints, so it contains no secrets. */
export interface RotationContext extends FormerCredential {
  readonly operationId: OperationId;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly envNames: Readonly<Record<string, string>>;
  /** Whether issuing a new credential ends the former one. */
  readonly isSingle: boolean;
  /** True if env bundles contain the new credential. */
  readonly isPublished: boolean;
  /** True if the former credential is retired by the operation, because there is no grace period. */
  readonly retiresFormer: boolean;
  /** True if the credential before the former one must be retired before a new one is issued. */
  readonly retiresOlder: boolean;
}

export async function loadRotationContext(tx: Tx, operation: OperationRow): Promise<RotationContext> {
  const rotation = await rotationRows.get(tx, operation);
  const service = await serviceRows.get(tx, rotation);
  const { tenantId, serviceId, projectId, mode, provider, linkId, config, envNames, credentialVersion } = service;
  const { providerResourceId: resourceId } = service;
  invariant(resourceId !== null, "a service that can be rotated has a resource");
  const isPublished = rotation.credentialVersion !== null;
  const isFormerStored = (await findFormerCredential(tx, service)) !== null;
  return {
    ...{ tenantId, operationId: operation.operationId, serviceId, projectId, mode, provider, linkId, resourceId },
    ...{ config, envNames },
    isSingle: findCatalogService(service.service)?.credential_type !== "multiple",
    formerVersion: isPublished ? credentialVersion - 1 : credentialVersion,
    isPublished,
    // Due work has retired the former credential if the rotation needed an operator meanwhile.
    retiresFormer: hasNoGrace(rotation) && (isFormerStored || !isPublished),
    retiresOlder: isFormerStored && !isPublished,
  };
}

/** Returns whether the former credential ends when the new one is published. */
export function hasNoGrace({ mode, gracePeriodSeconds }: Pick<Rotation, "mode" | "gracePeriodSeconds">): boolean {
  return mode === "immediate" || gracePeriodSeconds === 0;
}

export interface ServiceRotation {
  readonly operation: Operation;
  readonly service: Service;
  readonly rotation: Pick<Rotation, "confirmsDowntime" | "credentialVersion" | "changed" | "verified"> & {
    /** What the catalog says, until the provider has answered. */
    readonly mode: "overlap" | "immediate";
  };
  /** Whether an API key has last pulled a version before the current one. */
  readonly isFormerInUse: boolean;
  /** Whether the former credential still has to be retired. */
  readonly isFormerStored: boolean;
}

/** Returns a rotation and its operation. Throws `project_not_found` or `operation_not_found`. */
export async function getRotation(
  { db }: Pick<App, "db">,
  { key, operationId }: { readonly key: ProjectKey; readonly operationId: OperationId },
): Promise<ServiceRotation> {
  const operation = await getProjectOperation({ db }, { key, operationId });
  const rotation = await rotationRows.get(db, operation);
  const service = await serviceRows.get(db, rotation);
  const isMultiple = findCatalogService(service.service)?.credential_type === "multiple";
  return {
    operation,
    service,
    rotation: { ...rotation, mode: rotation.mode ?? (isMultiple ? "overlap" : "immediate") },
    isFormerInUse: await isFormerVersionInUse(db, service),
    isFormerStored: await withTransaction(
      db,
      service.tenantId,
      async (tx) => (await findFormerCredential(tx, service)) !== null,
    ),
  };
}

/** The due work that retires the former credential of a service when its grace period ends. The subject is the service. */
export const RETIREMENT = { kind: "retire-credentials" } as const;

/** Longer than the calls of one attempt can take. */
const ATTEMPT_MAX_MS = 120_000;
/** A rotation that retires a credential itself has usually ended by then. */
const OWN_ATTEMPT_MS = 60_000;

/** A former credential whose grace period has ended. */
interface Retirement extends FormerCredential, Pick<RotationContext, "operationId" | "projectId" | "mode"> {
  /** Who asked for the rotation. */
  readonly actor: Actor;
  /** When the attempt that has begun is over. */
  readonly retiringUntil: Date;
}

/**
 * Schedules the retirement of the service's former credential. `isOwn`: a rotation retires it now, so the work is left only
 * if that fails.
 */
export function scheduleRetirement(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, serviceId: subject }: ServiceKey,
  { endsAt, isOwn }: { readonly endsAt: Date; readonly isOwn: boolean },
): Promise<void> {
  const dueAt = isOwn ? new Date(clock.now().getTime() + OWN_ATTEMPT_MS) : endsAt;
  return scheduleWork(tx, RETIREMENT, { tenantId, subject, dueAt });
}

/**
 * Begins an attempt to retire the service's former credential. Until `endAttempt` or `finishRetirement`, no rotation can
 * start, because a provider can issue the next credential under the login of the one that is being retired. Returns
 * `nothing` if there is nothing to retire, for example because the service was removed, and `later` while a rotation runs,
 * which retires the credential itself, and while another attempt may run.
 */
export async function beginRetirement(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  key: ServiceKey,
): Promise<Retirement | "nothing" | "later"> {
  const { tenantId, serviceId } = key;
  const service = await serviceRows.lockAndGet(tx, key);
  const isInPlace = SERVICE_STATUSES_IN_BUNDLE.some((status) => status === service.status);
  const former = isInPlace ? await findFormerCredential(tx, service) : null;
  const rotation = former === null ? undefined : await rotationRowsByCredential.find(tx, service);
  if (former === null || rotation === undefined) return "nothing";
  const isRetiring = rotation.retiringUntil !== null && rotation.retiringUntil > clock.now();
  const open = await findOpenOperation(tx, { tenantId, type: ROTATE_SERVICE, subjectId: serviceId });
  if (isRetiring || open !== undefined) return "later";
  const retiringUntil = new Date(clock.now().getTime() + ATTEMPT_MAX_MS);
  await rotationRows.update(tx, rotation, { retiringUntil });
  const { operationId } = rotation;
  const actor = operationActor(await operationRows.get(tx, rotation));
  return { ...former, operationId, projectId: service.projectId, mode: service.mode, actor, retiringUntil };
}

/** Ends an attempt that did not succeed. Does nothing if its time is over, because another may have begun. */
export async function endAttempt(tx: Tx, { clock }: Pick<App, "clock">, retirement: Retirement): Promise<void> {
  if (retirement.retiringUntil > clock.now()) await rotationRows.update(tx, retirement, { retiringUntil: null });
}

/** Throws `conflict` while the former credential is being retired. */
export async function throwIfRetiring(tx: Tx, { clock }: Pick<App, "clock">, service: Service): Promise<void> {
  const until = (await rotationRowsByCredential.find(tx, service))?.retiringUntil ?? null;
  if (until === null || until <= clock.now()) return;
  const detail = "The former credential of the service is being retired. Repeat the call in a few seconds.";
  throw new AppError("conflict", { detail, retryAfterSeconds: 5 });
}

/** Deletes the former credential, which the provider refuses by now. Ends the rotation that replaced it. */
export async function finishRetirement(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  retired: Pick<Retirement, "tenantId" | "serviceId" | "projectId" | "mode" | "formerVersion">,
): Promise<void> {
  const { tenantId, serviceId, formerVersion } = retired;
  const at = clock.now();
  await lockOwnProject(tx, retired);
  await serviceRows.lockAndGet(tx, retired);
  await deleteServiceSecretsOf(tx, retired, formerVersion);
  await cancelWork(tx, RETIREMENT, { tenantId, subject: serviceId });
  const service = await serviceRows.updateAndGet(tx, retired, { credentialPreviousValidUntil: null, updatedAt: at });
  const rotation = await rotationRowsByCredential.find(tx, service);
  invariant(rotation !== undefined, "a rotation has published the credential that replaces the former one");
  await rotationRows.update(tx, rotation, { retiringUntil: null });
  await recordServiceChange(tx, actor, {
    action: "service.rotated",
    service,
    facts: { operation_id: rotation.operationId, credential_version: service.credentialVersion },
    occurredAt: at,
  });
}
