import type { App } from "../app.ts";
import { listPendingOperations } from "../operations/queries.ts";
import { runOperation } from "../operations/run-operation.ts";

/** A process that stored an operation has started it by then, or has died. */
const PENDING_AFTER_MS = 3_000;
const BATCH_MAX = 100;

/** Starts operations whose process died after storing and before starting them. */
export async function startPendingOperations(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - PENDING_AFTER_MS);
  const types = [...app.operationKinds.keys()];
  const pending = await listPendingOperations(app.db, { types, before, limit: BATCH_MAX });
  await Promise.all(pending.map(({ type, ...input }) => runOperation(app, type, input, 0)));
}
