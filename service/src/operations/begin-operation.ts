import type { App } from "../app.ts";
import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import { newId, type OperationId, type ProjectId, type ServiceId } from "../foundation/ids.ts";
import { succeedOperation } from "./end-operation.ts";
import type { OperationKind } from "./operation-kind.ts";
import { insertOperation, type OperationKey, passSteps } from "./queries.ts";

/** What an operation is about. */
export type OperationSubject =
  | { readonly type: "service"; readonly id: ServiceId }
  | { readonly type: string; readonly id: string };

export interface Work {
  readonly kind: Pick<OperationKind, "type" | "stepNames">;
  readonly subject: OperationSubject;
  /** Null where the subject belongs to no project. */
  readonly projectId: ProjectId | null;
}

/**
 * Writes down what is to be done, by whom and in which steps, in the transaction that decides it. It is carried out once
 * `runOperation` has started it.
 */
export async function beginOperation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, mode, actor, requestId }: Actor,
  { kind, subject, projectId }: Work,
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
    serviceId: isService(subject) ? subject.id : null,
    status: "running" as const,
    actor: JSON.stringify(actor),
    requestId,
    createdAt,
    updatedAt: createdAt,
  };
  await insertOperation(tx, operation, kind.stepNames);
  return operationId;
}

/** Writes down an operation that is done with this transaction: all of its steps but the `skipped` ones have succeeded. */
export async function recordDoneOperation(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { skipped, ...work }: Work & { readonly skipped: readonly string[] },
): Promise<OperationId> {
  const operationId = await beginOperation(tx, app, actor, work);
  const key: OperationKey = { tenantId: actor.tenantId, operationId };
  const { stepNames } = work.kind;
  const positions = skipped.map((name) => stepNames.indexOf(name));
  const passed = { from: 0, next: stepNames.length, skipped: positions, at: app.clock.now() };
  await passSteps(tx, key, passed);
  await succeedOperation(tx, app, key);
  return operationId;
}

function isService(
  subject: OperationSubject,
): subject is { readonly type: "service"; readonly id: ServiceId } {
  return subject.type === "service";
}
