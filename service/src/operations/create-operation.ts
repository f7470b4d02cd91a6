import type { App } from "../app.ts";
import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../foundation/errors.ts";
import { isId, newId, type OperationId, type ProjectId } from "../foundation/ids.ts";
import { QUOTAS } from "../foundation/wire/quotas.ts";
import { succeedOperation } from "./end-operation.ts";
import type { OperationKind } from "./operation-kind.ts";
import { completeSteps, countRunningLocked, insertOperation, type OperationKey } from "./queries.ts";

/** The object that an operation changes. */
export interface OperationSubject {
  /** For example `project` or `service`. */
  readonly type: string;
  readonly id: string;
}

export interface NewOperation {
  readonly kind: Pick<OperationKind, "type" | "stepNames">;
  readonly subject: OperationSubject;
  /** Null if the subject does not belong to a project. */
  readonly projectId: ProjectId | null;
}

/** Inserts a running operation with its steps. After the transaction has committed, start it with `runOperation`. */
export async function createOperation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, mode, actor, requestId }: Actor,
  { kind, subject, projectId }: NewOperation,
): Promise<OperationId> {
  const operationId = newId("op");
  const createdAt = clock.now();
  const operation = {
    tenantId,
    operationId,
    mode,
    type: kind.type,
    subjectType: subject.type,
    subjectId: subject.id,
    projectId,
    serviceId: isId("srv", subject.id) ? subject.id : null,
    status: "running" as const,
    actor: JSON.stringify(actor),
    requestId,
    createdAt,
    updatedAt: createdAt,
  };
  await insertOperation(tx, operation, kind.stepNames);
  return operationId;
}

/**
 * Like `createOperation`, for work that a caller can as well request later. Throws `conflict` if too many operations of the
 * tenant and mode are running. Removals, and rotations of compromised credentials, do not wait for others.
 */
export async function createOperationInQuota(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  work: NewOperation,
): Promise<OperationId> {
  const { max } = QUOTAS.runningOperations;
  if ((await countRunningLocked(tx, actor)) < max) return createOperation(tx, app, actor, work);
  const detail = `${max} ${actor.mode} operations of this account are running. Repeat the request when some have ended.`;
  throw new AppError("conflict", { detail, retryAfterSeconds: 10 });
}

/**
 * Inserts an operation that has already succeeded. Each step is `succeeded`, or `skipped` if `skipped` contains its
 * name.
 */
export async function recordCompletedOperation(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { skipped, ...work }: NewOperation & { readonly skipped: readonly string[] },
): Promise<OperationId> {
  const operationId = await createOperation(tx, app, actor, work);
  const key: OperationKey = { tenantId: actor.tenantId, operationId };
  const { stepNames } = work.kind;
  const positions = skipped.map((name) => stepNames.indexOf(name));
  const steps = { from: 0, next: stepNames.length, skipped: positions, at: app.clock.now() };
  await completeSteps(tx, key, steps);
  await succeedOperation(tx, app, key);
  return operationId;
}
