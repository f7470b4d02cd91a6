import type { App } from "../../app.ts";
import { pendingOperations } from "../../operations/queries.ts";
import { runOperation } from "../../operations/run-operation.ts";

/** The process that stores an operation starts it within this time, unless the process crashes. */
const PENDING_AFTER_MS = 3_000;

/** Starts operations that were stored but not started because their process crashed, or whose approval was given. */
export async function startPendingOperations(app: App): Promise<void> {
  const able = { types: [...app.operationKinds.keys()], providers: [...app.providers.keys()] };
  const before = new Date(app.clock.now().getTime() - PENDING_AFTER_MS);
  for await (const page of pendingOperations(app.db, { ...able, before })) {
    await Promise.all(
      page.map(({ type, tenantId, operationId }) => runOperation(app, type, { tenantId, operationId }, 0)),
    );
  }
}
