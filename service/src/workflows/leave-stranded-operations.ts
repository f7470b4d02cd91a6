import type { App } from "../app.ts";
import { withTransaction } from "../db/transaction.ts";
import {
  failDeletion,
  leaveToOperator,
  listStrandedOperations,
} from "../modules/projects/index.ts";

/** By then a workflow that has ended well has said so. */
const STRANDED_AFTER_MS = 60_000;
const AT_ONCE_MAX = 100;

const STRANDED = { code: "internal_error", detail: "Something went wrong here." } as const;

/**
 * Leaves to a person what nobody works on any more: its workflow ended for a fault of ours, or was given up by the engine.
 * Without this such an operation would run for ever, and whatever waits for it with it.
 */
export async function leaveStrandedOperations(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - STRANDED_AFTER_MS);
  for (const { type, ...key } of await listStrandedOperations(app.db, {
    before,
    limit: AT_ONCE_MAX,
  })) {
    const leave = type === "project.delete" ? failDeletion : leaveToOperator;
    await withTransaction(app.db, key.tenantId, (tx) => leave(tx, app, key, STRANDED));
    app.log.error({ operation: key.operationId }, "needs an operator: nobody works on it any more");
  }
}
