import type { App } from "../app.ts";
import { AppError } from "../foundation/errors.ts";
import type { ServiceProvider } from "../ports/service-provider.ts";

/** The adapter of a provider of the catalog. `provider_unavailable` where this deployment has none. */
export function providerOf({ providers }: Pick<App, "providers">, name: string): ServiceProvider {
  const provider = providers.get(name);
  if (provider === undefined) {
    throw new AppError("provider_unavailable", { detail: `${name} is not set up here.` });
  }
  return provider;
}
