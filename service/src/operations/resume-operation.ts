import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import { deleteWorkflow } from "../durable/queries.ts";
import type { OperationId, TenantId } from "../foundation/ids.ts";
import {
  hasBegunUndoing,
  lockWaitingOperation,
  type OperationRow,
  operationRows,
  rerunFailedStep,
  restartSteps,
} from "./queries.ts";

/**
 * Lets the subject's operation that requires an approval start again with its first step. The caller calls
 * `runOperation` after the commit; if the process crashes before, a background job does. Returns undefined if no
 * operation of this type waits.
 */
export async function resumeOperation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  work: { readonly tenantId: TenantId; readonly type: string; readonly subjectId: string },
): Promise<OperationId | undefined> {
  const operationId = await lockWaitingOperation(tx, work);
  if (operationId === undefined) return undefined;
  const at = clock.now();
  const key = { tenantId: work.tenantId, operationId };
  await operationRows.update(tx, key, { status: "running", updatedAt: at });
  await restartSteps(tx, key, at);
  await deleteWorkflow(tx, operationId);
  return operationId;
}

/**
 * Lets an operation that needs an operator run again: its failed step, and what is undone if that fails again. If its undoing
 * has begun, it is only undone. The caller has locked the operation, and calls `runOperation` after the commit; if the process
 * crashes before, a background job does.
 */
export async function rerunOperation(tx: Tx, { clock }: Pick<App, "clock">, operation: OperationRow): Promise<void> {
  const at = clock.now();
  // The error of an operation that is undone is that with which it ends.
  const isUndone = hasBegunUndoing(operation);
  if (!isUndone) await rerunFailedStep(tx, operation, at);
  const change = { status: "running" as const, updatedAt: at };
  await operationRows.update(tx, operation, { ...change, ...(!isUndone && { error: null }) });
  await deleteWorkflow(tx, operation.operationId);
}

/** Like `rerunOperation`, but only undoes the operation, without its stuck step, which an operator has undone by hand. */
export async function undoOperation(
  tx: Tx,
  app: Pick<App, "clock">,
  operation: OperationRow,
  stuckStep: string,
): Promise<void> {
  const undoneByHand = [...operation.undoneByHand, stuckStep];
  await operationRows.update(tx, operation, { undoneByHand, stuckStep: null });
  await rerunOperation(tx, app, { ...operation, undoneByHand });
}
