import type { App } from "../app.ts";
import { withTransaction } from "../db/transaction.ts";
import { deleteWorkflow } from "../durable/queries.ts";
import { lockWaitedOperation, type OperationKey, updateOperationRow } from "./queries.ts";
import { runOperation } from "./run-operation.ts";

/**
 * Continues an operation that has waited until now, and waits for at most `waitMs`. Does nothing if the operation has
 * not waited long enough, or if its former workflow has not ended yet: a background job then continues it later.
 */
export async function continueOperation(
  app: Pick<App, "db" | "clock" | "durable" | "log" | "providers" | "settings">,
  type: string,
  key: OperationKey,
  waitMs?: number,
): Promise<void> {
  const isContinued = await withTransaction(app.db, key.tenantId, async (tx) => {
    const at = app.clock.now();
    if (!(await lockWaitedOperation(tx, key, at))) return false;
    await updateOperationRow(tx, key, { resumesAt: null, updatedAt: at });
    await deleteWorkflow(tx, key.operationId);
    return true;
  });
  if (isContinued) await runOperation(app, type, key, waitMs);
}
