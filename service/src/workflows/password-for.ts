import type { App } from "../app.ts";
import type { ServiceId, TenantId } from "../foundation/ids.ts";
import { openServicePassword } from "../modules/projects/index.ts";
import type { ServiceProvider } from "../ports/service-provider.ts";

/** Returns the service's password if the provider requires one, otherwise an empty string. */
export async function passwordFor(
  app: App,
  { needsPassword }: ServiceProvider,
  service: { readonly tenantId: TenantId; readonly serviceId: ServiceId },
): Promise<string> {
  return needsPassword ? openServicePassword(app, service) : "";
}
