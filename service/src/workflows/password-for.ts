import type { App } from "../app.ts";
import type { ServiceId, TenantId } from "../foundation/ids.ts";
import { FIRST_CREDENTIAL, openServicePassword } from "../modules/projects/index.ts";
import type { ServiceProvider } from "../ports/service-provider.ts";

/** Returns the password of a version of the service's credentials if the provider requires one, otherwise an empty string. */
export async function passwordFor(
  app: App,
  { needsPassword }: ServiceProvider,
  service: { readonly tenantId: TenantId; readonly serviceId: ServiceId },
  version = FIRST_CREDENTIAL,
): Promise<string> {
  return needsPassword ? openServicePassword(app, service, version) : "";
}
