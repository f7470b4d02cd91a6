import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { CONTRIBUTING_STATUSES, type Service, type ServiceKey, serviceRows } from "./queries.ts";
import { recordServiceChange } from "./record-service-change.ts";

/**
 * Records that the provider has lost a service's resource, or has it again. Does nothing if that is recorded already, or if
 * the service has another resource by now, or none.
 */
export async function recordResourcePresence(
  app: Pick<App, "db" | "clock">,
  { resourceId, ...key }: ServiceKey & { readonly resourceId: string },
  isMissing: boolean,
): Promise<void> {
  const at = app.clock.now();
  await withTransaction(app.db, key.tenantId, async (tx) => {
    const before = await serviceRows.lockAndGet(tx, key);
    if (before.providerResourceId !== resourceId || !isContributing(before)) return;
    if ((before.resourceMissingSince !== null) === isMissing) return;
    const resourceMissingSince = isMissing ? at : null;
    const service = await serviceRows.updateAndGet(tx, key, { resourceMissingSince, updatedAt: at });
    const action = isMissing ? "service.resource_missing" : "service.resource_found";
    await recordServiceChange(tx, systemActor(service), { action, service, occurredAt: at });
  });
}

function isContributing({ status }: Service): boolean {
  return CONTRIBUTING_STATUSES.some((each) => each === status);
}
