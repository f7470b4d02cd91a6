import type { App } from "../../app.ts";
import { continueOperation } from "../../operations/continue-operation.ts";
import { pendingOperations, waitedOperations } from "../../operations/queries.ts";
import { runOperation } from "../../operations/run-operation.ts";

/** The process that stores an operation starts it within this time, unless the process crashes. */
const PENDING_AFTER_MS = 3_000;

/**
 * Starts operations that were stored but not started because their process crashed, and continues operations that have
 * waited long enough.
 */
export async function startPendingOperations(app: App): Promise<void> {
  const now = app.clock.now();
  const able = { types: [...app.operationKinds.keys()], providers: [...app.providers.keys()] };
  for await (const page of waitedOperations(app.db, { ...able, before: now })) {
    await Promise.all(
      page.map(({ type, tenantId, operationId }) => continueOperation(app, type, { tenantId, operationId }, 0)),
    );
  }
  const before = new Date(now.getTime() - PENDING_AFTER_MS);
  for await (const page of pendingOperations(app.db, { ...able, before })) {
    await Promise.all(
      page.map(({ type, tenantId, operationId }) => runOperation(app, type, { tenantId, operationId }, 0)),
    );
  }
}
