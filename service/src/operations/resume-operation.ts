import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import { deleteWorkflow } from "../durable/queries.ts";
import type { OperationId, TenantId } from "../foundation/ids.ts";
import { lockWaitingOperation, operationRows, restartSteps } from "./queries.ts";

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
