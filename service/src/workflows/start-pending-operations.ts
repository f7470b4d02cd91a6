import type { App } from "../app.ts";
import { type InTurn, pagesOf } from "../db/pages.ts";
import { continueOperation } from "../operations/continue-operation.ts";
import { type FoundOperation, listPendingOperations, listWaitedOperations } from "../operations/queries.ts";
import { runOperation } from "../operations/run-operation.ts";

/** The process that stores an operation starts it within this time, unless the process crashes. */
const PENDING_AFTER_MS = 3_000;
const BATCH_MAX = 100;

/**
 * Starts operations that were stored but not started because their process crashed, and continues operations that have
 * waited long enough.
 */
export async function startPendingOperations(app: App): Promise<void> {
  const now = app.clock.now();
  const able = { types: [...app.operationKinds.keys()], providers: [...app.providers.keys()] };
  const waited = pagesOf<InTurn<FoundOperation>>((after) =>
    listWaitedOperations(app.db, { ...able, before: now, after, limit: BATCH_MAX }),
  );
  for await (const page of waited) {
    await Promise.all(
      page.map(({ type, tenantId, operationId }) => continueOperation(app, type, { tenantId, operationId }, 0)),
    );
  }
  const before = new Date(now.getTime() - PENDING_AFTER_MS);
  const query = { ...able, before, limit: BATCH_MAX };
  const pages = pagesOf<InTurn<FoundOperation>>((after) => listPendingOperations(app.db, { ...query, after }));
  for await (const page of pages) {
    await Promise.all(
      page.map(({ type, tenantId, operationId }) => runOperation(app, type, { tenantId, operationId }, 0)),
    );
  }
}
