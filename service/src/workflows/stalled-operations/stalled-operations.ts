import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { type FoundOperation, lockWhileRunning, pendingOperations, stuckOperations } from "../../operations/queries.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";

/** How long an operation must be unchanged before it can count as stuck. */
const STUCK_AFTER_MS = 60_000;

const STUCK_ERROR = {
  code: "internal_error",
  detail: "An internal error occurred. Include the request_id when you contact support.",
} as const;

/**
 * Sets running operations to `needs_operator` if their workflow has ended: it failed with an internal error, or the
 * engine stopped restarting it. Without this job, such an operation would be `running` forever.
 */
export async function escalateStuckOperations(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - STUCK_AFTER_MS);
  const types = [...app.operationKinds.keys()];
  await tryEach(stuckOperations(app.db, { types, before }), (operation) => escalateStuck(app, operation));
}

async function escalateStuck(app: App, { type, tenantId, operationId }: FoundOperation): Promise<void> {
  const key = { tenantId, operationId };
  const isEscalated = await withTransaction(app.db, tenantId, async (tx) => {
    // A concurrent run may already have escalated the operation.
    if (!(await lockWhileRunning(tx, key))) return false;
    await app.operationKinds.get(type)?.escalateToOperator(tx, app, key, STUCK_ERROR);
    return true;
  });
  if (!isEscalated) return;
  app.log.error({ operation: operationId }, "workflow ended but its operation is unfinished: operator action required");
}

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
