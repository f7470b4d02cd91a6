import type { App } from "../app.ts";
import { type InTurn, pagesOf } from "../db/pages.ts";
import { type FoundOperation, listPendingOperations } from "../operations/queries.ts";
import { runOperation } from "../operations/run-operation.ts";

/** The process that stores an operation starts it within this time, unless the process crashes. */
const PENDING_AFTER_MS = 3_000;
const BATCH_MAX = 100;

/** Starts operations that were stored but not started because their process crashed, or whose approval was given. */
export async function startPendingOperations(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - PENDING_AFTER_MS);
  const query = {
    ...{ types: [...app.operationKinds.keys()], providers: [...app.providers.keys()] },
    ...{ before, limit: BATCH_MAX },
  };
  const pages = pagesOf<InTurn<FoundOperation>>((after) => listPendingOperations(app.db, { ...query, after }));
  for await (const page of pages) {
    await Promise.all(
      page.map(({ type, tenantId, operationId }) => runOperation(app, type, { tenantId, operationId }, 0)),
    );
  }
}
