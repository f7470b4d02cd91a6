import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { AppError } from "../../../../foundation/errors.ts";
import type { OperationId, ServiceId } from "../../../../foundation/ids.ts";
import type { RotationReason } from "../../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../../idempotency/claim.ts";
import { createOperation, createOperationInQuota, type NewOperation } from "../../../../operations/create-operation.ts";
import { findOpenOperationOf } from "../../../../operations/queries.ts";
import { requireProvider } from "../../links/require-provider.ts";
import { lockProject, type ProjectKey } from "../../queries.ts";
import { lockService, type Service } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { changing } from "../throw-if-changing.ts";
import { endGrace } from "./end-grace.ts";
import { insertRotation } from "./queries.ts";

/** What a caller asks for. */
export interface RotationOrder {
  readonly reason: RotationReason;
  /** Ignored if the reason is `compromised`: the grace period is then 0. */
  readonly gracePeriodSeconds: number;
  readonly confirmsDowntime: boolean;
}

export interface RequestRotation {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly serviceId: ServiceId;
  readonly order: RotationOrder;
  /** The saga that rotates the service. */
  readonly kind: NewOperation["kind"];
  /** Called before the project is locked, for what every transaction locks earlier: approvals and policies. */
  readonly beforeLocks: (tx: Tx) => Promise<void>;
  /** Throws if the caller must not rotate the service's credentials. */
  readonly authorize: (tx: Tx) => Promise<void>;
}

export interface RequestedRotation {
  readonly operationId: OperationId;
  readonly serviceId: ServiceId;
}

/**
 * Creates the operation that rotates the service's credentials. The caller must start its workflow. If a rotation is
 * running and the reason is `compromised`, ends its grace period and returns it. Throws `project_not_found`,
 * `service_not_found` and `conflict`.
 */
export async function requestRotation(
  app: Pick<App, "db" | "clock" | "providers">,
  { key, serviceId, beforeLocks, authorize, ...command }: RequestRotation,
  saveResponse: SaveResponse<RequestedRotation>,
): Promise<RequestedRotation> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
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
  {
    actor,
    service,
    order: { reason, gracePeriodSeconds, confirmsDowntime },
    kind,
  }: Pick<RequestRotation, "actor" | "order" | "kind"> & { readonly service: Service },
): Promise<OperationId> {
  const { tenantId, serviceId, projectId } = service;
  const running = await findOpenOperationOf(tx, { tenantId, subjectId: serviceId });
  if (running?.type === kind.type && reason === "compromised") {
    await endGrace(tx, app, service, running.operationId);
    return running.operationId;
  }
  if (running !== undefined) throw changing(service, running);
  throwIfNotRotatable(app, service);

  const subject = { type: "service", id: serviceId };
  const create = reason === "compromised" ? createOperation : createOperationInQuota;
  const operationId = await create(tx, app, actor, { kind, subject, projectId });
  const seconds = reason === "compromised" ? 0 : gracePeriodSeconds;
  const rotation = { tenantId, operationId, serviceId, reason, confirmsDowntime };
  await insertRotation(tx, { ...rotation, gracePeriodSeconds: seconds });
  await recordServiceChange(tx, actor, {
    action: "service.rotation_requested",
    service,
    facts: { operation_id: operationId, reason, grace_period_seconds: seconds },
    occurredAt: app.clock.now(),
  });
  return operationId;
}

function throwIfNotRotatable(app: Pick<App, "providers">, service: Service): void {
  const { status, provider } = service;
  if (status !== "active" && status !== "rotating") {
    const detail = `The service is ${status}. Only active services can be rotated.`;
    throw new AppError("conflict", { detail });
  }
  if (requireProvider(app, provider).rotate !== undefined) return;
  const detail = `The credentials of this service cannot be rotated with the API of ${provider}. Rotate them at the provider.`;
  throw new AppError("conflict", { detail });
}
