import type { App } from "../app.ts";
import { operationActor } from "../audit/actors.ts";
import { appendAuditEntry } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import { endSteps, failRunningStep, type OperationKey, type OperationRow, operationRows } from "./queries.ts";

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
    expectedCallbackSeconds: null,
    updatedAt: at,
  });
}

/** Sets the operation to `needs_operator`: an operator must decide whether to complete or undo it. */
export async function escalateToOperator(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationRow,
  error: OperationError,
): Promise<void> {
  const at = clock.now();
  await failRunningStep(tx, operation, at);
  const change = { status: "needs_operator" as const, error: JSON.stringify(error), updatedAt: at };
  await operationRows.update(tx, operation, change);
  const { operationId, type, projectId, serviceId } = operation;
  await appendAuditEntry(tx, operationActor(operation), {
    action: "operation.needs_operator",
    subject: { type: "operation", id: operationId },
    facts: { type, project_id: projectId, service_id: serviceId, code: error.code },
    occurredAt: at,
  });
}
