import type { App } from "../app.ts";
import { listPendingOperations } from "../operations/queries.ts";
import { runOperation } from "../operations/run-operation.ts";

/** By then whoever wrote the operation down has started it, or never will. */
const PENDING_AFTER_MS = 3_000;
const AT_ONCE_MAX = 100;

/** Starts the operations whose process died between writing them down and starting them. */
export async function startPendingOperations(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - PENDING_AFTER_MS);
  const types = [...app.operationKinds.keys()];
  const forgotten = await listPendingOperations(app.db, { types, before, limit: AT_ONCE_MAX });
  await Promise.all(forgotten.map(({ type, ...input }) => runOperation(app, type, input, 0)));
}
