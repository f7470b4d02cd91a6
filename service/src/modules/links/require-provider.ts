import type { App } from "../../app.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";

/** Returns the provider's adapter. Throws `provider_unavailable` if the provider is not configured. */
export function requireProvider({ providers }: Pick<App, "providers">, name: string): ServiceProvider {
  const provider = providers.get(name);
  if (provider !== undefined) return provider;
  throw new AppError("provider_unavailable", {
    detail: `${name} is not configured on this server.`,
  });
}
