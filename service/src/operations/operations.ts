import type { App } from "../app.ts";
import { operationActor } from "../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import { AppError, missingScope } from "../foundation/errors.ts";
import { isId, newId, type OperationId, type ProjectId } from "../foundation/ids.ts";
import type { TenantScope } from "../foundation/tenant-scope.ts";
import type { Scope } from "../foundation/vocabulary.ts";
import { QUOTAS } from "../foundation/wire/quotas.ts";
import type { OperationKind } from "./operation-kind.ts";
import {
  completeSteps,
  countRunningLocked,
  endSteps,
  failRunningStep,
  findOperation,
  insertOperation,
  type Operation,
  type OperationKey,
  type OperationRow,
  operationRows,
} from "./queries.ts";

/** The object that an operation changes. */
interface OperationSubject {
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

export async function succeedOperation(tx: Tx, { clock }: Pick<App, "clock">, operation: OperationKey): Promise<void> {
  const end = { status: "succeeded" as const, expectedCallbackSeconds: null };
  await operationRows.update(tx, operation, { ...end, updatedAt: clock.now() });
}

/**
 * Ends a failed operation. Its status becomes `compensated` if a step was undone, otherwise `failed`. The running step
 * becomes `failed`, the steps in `undone` become `compensated`, and pending steps become `skipped`.
 */
export async function failOperation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationKey,
  { error, undone }: { readonly error: OperationError; readonly undone: readonly string[] },
): Promise<void> {
  const at = clock.now();
  await endSteps(tx, operation, { undone, at });
  await operationRows.update(tx, operation, {
    status: undone.length > 0 ? "compensated" : "failed",
    error: JSON.stringify(error),
    stuckStep: null,
    expectedCallbackSeconds: null,
    updatedAt: at,
  });
}

/**
 * Sets the operation to `needs_operator`: an operator must decide whether to complete or undo it. `stuckStep` is the vendor
 * step that could not be undone; if it is null, an earlier one remains.
 */
export async function escalateToOperator(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationRow,
  { error, stuckStep }: { readonly error: OperationError; readonly stuckStep: string | null },
): Promise<void> {
  const at = clock.now();
  await failRunningStep(tx, operation, at);
  const change = { status: "needs_operator" as const, error: JSON.stringify(error), updatedAt: at };
  await operationRows.update(tx, operation, { ...change, stuckStep: stuckStep ?? operation.stuckStep });
  const { operationId, type, projectId, serviceId } = operation;
  await appendAuditEntry(tx, operationActor(operation), {
    action: "operation.needs_operator",
    subject: { type: "operation", id: operationId },
    facts: { type, project_id: projectId, service_id: serviceId, code: error.code },
    occurredAt: at,
  });
}

interface GetOperation {
  readonly scope: TenantScope;
  readonly operationId: OperationId;
  readonly hasScope: (scope: Scope) => boolean;
}

/**
 * Returns the tenant's operation with its steps. Throws `operation_not_found` if the operation does not exist, or if
 * the API key is bound to other agents or projects. Throws `insufficient_scope` if the API key lacks the scope that the
 * operation's type requires.
 */
export async function getOperation(
  { db, operationKinds }: Pick<App, "db" | "operationKinds">,
  { scope, operationId, hasScope }: GetOperation,
): Promise<Operation> {
  const operation = await findOperation(db, { ...scope, operationId });
  if (operation === undefined) throw notFound(operationId);
  const kind = operationKinds.get(operation.type);
  const isBound = scope.agentIds.length > 0 || scope.projectIds.length > 0;
  if (kind === undefined || (isBound && !(await kind.canRead(db, scope, operation)))) {
    throw notFound(operationId);
  }
  if (!hasScope(kind.readScope)) throw missingScope(kind.readScope);
  return operation;
}

function notFound(operationId: OperationId): AppError {
  return new AppError("operation_not_found", {
    internal: `the key cannot read operation ${operationId}, or it does not exist`,
  });
}
