import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ServiceProvider } from "../../../ports/service-provider.ts";

/** The provider's adapter, or `provider_unavailable` where this installation has no access to it. */
export function requireProvider(
  { providers }: Pick<App, "providers">,
  name: string,
): ServiceProvider {
  const provider = providers.get(name);
  if (provider !== undefined) return provider;
  throw new AppError("provider_unavailable", { detail: `${name} is not set up here.` });
}
