import type { App } from "../../app.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { duePlans } from "../../modules/services/plan-change/queries.ts";
import { startPendingPlan } from "../../modules/services/plan-change/start-pending-plan.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { upgradeServiceSaga } from "./saga.ts";

/**
 * Starts the changes to pending plans whose month has begun. Any number of processes can run this at the same time. One
 * service's error does not affect the others.
 */
export async function changePendingPlans(app: App): Promise<void> {
  const at = app.clock.now();
  const providers = [...app.providers.keys()];
  const kind = upgradeServiceSaga;
  await tryEach(duePlans(app.db, { at, providers }), async (key) => {
    const operationId = await startPendingPlan(app, key, kind);
    if (operationId === undefined) return;
    await runOperation(app, kind.type, { tenantId: key.tenantId, operationId }, 0);
  });
}
