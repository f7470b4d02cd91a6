import type { App } from "../app.ts";
import type { ServiceId, TenantId } from "../foundation/ids.ts";
import { listAdditionsOf } from "../operations/queries.ts";

/** Destroys what the workflow that added a service has kept of it: its credentials are there too, sealed. */
export async function forgetAddition(
  { db, durable }: Pick<App, "db" | "durable">,
  service: { readonly tenantId: TenantId; readonly serviceId: ServiceId },
): Promise<null> {
  await durable.forget(await listAdditionsOf(db, service));
  return null;
}
