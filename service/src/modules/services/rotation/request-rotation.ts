import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { OperationId, ServiceId } from "../../../foundation/ids.ts";
import type { RotationReason } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { createOperation, createOperationInQuota, type NewOperation } from "../../../operations/operations.ts";
import { findOpenOperationOf } from "../../../operations/queries.ts";
import { requireProvider } from "../../links/link-rules.ts";
import { lockProject, type ProjectKey } from "../../projects/queries.ts";
import { cancelWaitingPlanChanges } from "../cancel-waiting-services.ts";
import { lockService, type Service, serviceRows } from "../queries.ts";
import { changing, recordServiceChange, throwIfUndecided } from "../services.ts";
import { rotationRows } from "./queries.ts";
import { scheduleRetirement, throwIfRetiring } from "./rotation.ts";

/** What a caller asks for. */
export interface RotationOrder {
  readonly reason: RotationReason;
  /** Ignored if the reason is `compromised`: the grace period is then 0. */
  readonly gracePeriodSeconds: number;
  readonly confirmsDowntime: boolean;
  /** Whether a former credential whose grace period is running is retired now. */
  readonly retiresPrevious: boolean;
}

export interface RequestRotation {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly serviceId: ServiceId;
  readonly order: RotationOrder;
  /** The saga that rotates the service. */
  readonly kind: NewOperation["kind"];
  /** Called before the project is locked, for what every transaction locks earlier: policies. */
  readonly beforeLocks: (tx: Tx) => Promise<void>;
  /** Throws if the caller must not rotate the service's credentials. */
  readonly authorize: (tx: Tx) => Promise<void>;
}

export interface RequestedRotation {
  readonly operationId: OperationId;
  readonly serviceId: ServiceId;
}

/**
 * Sets the service to `rotating` and creates the operation that rotates its credentials. The caller must start its
 * workflow. If a rotation is running and the reason is `compromised`, returns that one without a grace period. Throws
 * `project_not_found`, `service_not_found` and `conflict`.
 */
export async function requestRotation(
  app: Pick<App, "db" | "clock" | "providers" | "settings">,
  { key, serviceId, beforeLocks, authorize, ...command }: RequestRotation,
  saveResponse: SaveResponse<RequestedRotation>,
): Promise<RequestedRotation> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    // Every transaction locks approvals and policies before the project.
    if (command.order.reason === "compromised") {
      await cancelWaitingPlanChanges(tx, app, command.actor, { ...key, serviceId });
    }
    await beforeLocks(tx);
    const project = await lockProject(tx, key);
    const service = await lockService(tx, project, serviceId);
    await authorize(tx);
    const operationId = await startRotation(tx, app, { ...command, service });
    const requested = { operationId, serviceId };
    await saveResponse(tx, requested);
    return requested;
  });
}

/** Does the work of `requestRotation`. The caller must have locked the project and the service. */
export async function startRotation(
  tx: Tx,
  app: Pick<App, "clock" | "providers">,
  { actor, service, order, kind }: Pick<RequestRotation, "actor" | "order" | "kind"> & { readonly service: Service },
): Promise<OperationId> {
  const { tenantId, serviceId, projectId } = service;
  const { reason, confirmsDowntime } = order;
  const isCompromised = reason === "compromised";
  const gracePeriodSeconds = isCompromised ? 0 : order.gracePeriodSeconds;
  const running = await findOpenOperationOf(tx, { tenantId, subjectId: serviceId });
  if (running?.type === kind.type && isCompromised) {
    await rotationRows.update(tx, { tenantId, operationId: running.operationId }, { reason, gracePeriodSeconds });
    return running.operationId;
  }
  if (running !== undefined) throw changing(service, running);
  await throwIfUndecided(tx, service);
  throwIfNotRotatable(app, service);
  throwIfInGrace(app, service, order);
  await throwIfRetiring(tx, app, service);

  const occurredAt = app.clock.now();
  const subject = { type: "service", id: serviceId };
  const create = isCompromised ? createOperation : createOperationInQuota;
  const operationId = await create(tx, app, actor, { kind, subject, projectId });
  await rotationRows.insert(tx, { tenantId, operationId, serviceId, reason, confirmsDowntime, gracePeriodSeconds });
  const endsAt = earlierOf(service.credentialPreviousValidUntil, occurredAt);
  if (endsAt !== null) await scheduleRetirement(tx, app, service, { endsAt, isOwn: true });
  const rotating = await serviceRows.updateAndGet(tx, service, {
    ...{ status: "rotating", credentialPreviousValidUntil: endsAt, updatedAt: occurredAt },
  });
  await recordServiceChange(tx, actor, {
    action: "service.rotation_requested",
    service: rotating,
    facts: { operation_id: operationId, reason, grace_period_seconds: gracePeriodSeconds },
    occurredAt,
  });
  return operationId;
}

/** Throws `conflict` while the former credential is valid, unless it is to be retired now. */
function throwIfInGrace(
  { clock }: Pick<App, "clock">,
  { credentialPreviousValidUntil: until }: Service,
  { reason, retiresPrevious }: RotationOrder,
): void {
  if (until === null || until <= clock.now() || retiresPrevious || reason === "compromised") return;
  const detail = `The former credential is valid until ${until.toISOString()} (previous_valid_until). Repeat the call then, or end it now with retire_previous.`;
  const errors = [{ pointer: "/body/retire_previous", code: "required", detail: "is required during a grace period" }];
  throw new AppError("conflict", { detail, errors });
}

function earlierOf(time: Date | null, other: Date): Date | null {
  return time !== null && time > other ? other : time;
}

function throwIfNotRotatable(app: Pick<App, "providers">, service: Service): void {
  const { status, provider } = service;
  if (status !== "active") {
    const detail = `The service is ${status}. Only active services can be rotated.`;
    throw new AppError("conflict", { detail });
  }
  if (requireProvider(app, provider).rotate !== undefined) return;
  const detail = `The credentials of this service cannot be rotated with the API of ${provider}. Rotate them at the provider.`;
  throw new AppError("conflict", { detail });
}
