import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import type { RedirectLogin } from "../../../ports/identity-provider.ts";
import { PROVIDER_NAMES } from "./provider-names.ts";

/** Where a provider sends browsers back to: the one address of each that the operator registers there. */
export function loginReturnUrlOf(
  { settings }: Pick<App, "settings">,
  provider: IdentityProviderName,
): string {
  return `${settings.publicUrl}/login/${provider}/return`;
}

/** The provider's login. Throws `not_found` where this installation has no app there. */
export function requireRedirectLogin(
  { identityProviders }: Pick<App, "identityProviders">,
  provider: IdentityProviderName,
): RedirectLogin {
  const login = identityProviders[provider];
  if (login === null) throw notOffered(provider);
  return login;
}

export function notOffered(provider: IdentityProviderName): AppError {
  return new AppError("not_found", {
    detail: `This installation offers no login with ${PROVIDER_NAMES[provider]}.`,
  });
}
