import type { App } from "../app.ts";
import { withTransaction } from "../db/transaction.ts";
import {
  type FoundOperation,
  listStuckOperations,
  lockWhileRunning,
} from "../operations/queries.ts";

/** By then a workflow that has ended well has said so. */
const STUCK_AFTER_MS = 60_000;
const AT_ONCE_MAX = 100;

const STRANDED = { code: "internal_error", detail: "Something went wrong here." } as const;

/**
 * Leaves to a person what nobody works on any more: its workflow ended for a fault of ours, or was given up by the engine.
 * Without this such an operation would run for ever, and whatever waits for it with it.
 */
export async function escalateStuckOperations(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - STUCK_AFTER_MS);
  const types = [...app.operationKinds.keys()];
  const looking = { types, before, limit: AT_ONCE_MAX };
  for (const stranded of await listStuckOperations(app.db, looking)) {
    await escalateStuck(app, stranded);
  }
}

async function escalateStuck(app: App, { type, ...key }: FoundOperation): Promise<void> {
  const isLeft = await withTransaction(app.db, key.tenantId, async (tx) => {
    // Of several who have found it one leaves it: it may have been asked for again since.
    if (!(await lockWhileRunning(tx, key))) return false;
    await app.operationKinds.get(type)?.escalateToOperator(tx, app, key, STRANDED);
    return true;
  });
  if (!isLeft) return;
  app.log.error({ operation: key.operationId }, "needs an operator: nobody works on it any more");
}
