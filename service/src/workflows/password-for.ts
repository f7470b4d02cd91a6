import type { App } from "../app.ts";
import type { ServiceId, TenantId } from "../foundation/ids.ts";
import { openServicePassword } from "../modules/projects/index.ts";
import type { ServiceProvider } from "../ports/service-provider.ts";

/** The service's password, for one call to a provider that is told one. Nobody else is given it. */
export async function passwordFor(
  app: App,
  { wantsPassword }: ServiceProvider,
  service: { readonly tenantId: TenantId; readonly serviceId: ServiceId },
): Promise<string> {
  return wantsPassword ? openServicePassword(app, service) : "";
}
