import type { App } from "../app.ts";
import type { ServiceKey } from "../modules/services/queries.ts";
import { recordResourcePresence } from "../modules/services/record-resource-presence.ts";
import type { ProviderAccess, ServiceProvider } from "../ports/service-provider.ts";
import { VendorError } from "../ports/vendor-error.ts";

/** Returns whether the error says that the provider does not have what was named. */
export function isNotFound(error: unknown): boolean {
  return error instanceof VendorError && error.failure === "not_found";
}

/** Returns whether the provider does not have the resource any more. */
export async function isResourceGone(
  provider: ServiceProvider,
  access: ProviderAccess,
  resourceId: string,
): Promise<boolean> {
  try {
    await provider.inspect(access, resourceId);
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

/** Asks the provider for a service's resource, and records whether it is missing. */
export async function checkResource(
  app: Pick<App, "db" | "clock">,
  provider: ServiceProvider,
  access: ProviderAccess,
  service: ServiceKey & { readonly resourceId: string },
): Promise<void> {
  const isMissing = await isResourceGone(provider, access, service.resourceId);
  await recordResourcePresence(app, service, isMissing);
}

/** Works like `checkResource`. If the provider does not respond, nothing is recorded, and the hourly check asks again. */
export async function noteIfMissing(...check: Parameters<typeof checkResource>): Promise<void> {
  try {
    await checkResource(...check);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
  }
}
