import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import { displayNameOf } from "../../../foundation/vendors/index.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import type { RedirectLogin } from "../../../ports/identity-provider.ts";

/**
 * Returns the URL to which the provider redirects browsers after a login. The operator must register it with the
 * provider.
 */
export function loginReturnUrlOf({ settings }: Pick<App, "settings">, provider: IdentityProviderName): string {
  return `${settings.publicUrl}/login/${provider}/return`;
}

/** Returns the login adapter for the provider. Throws `not_found` if the provider is not configured. */
export function requireRedirectLogin(
  { identityProviders }: Pick<App, "identityProviders">,
  provider: IdentityProviderName,
): RedirectLogin {
  const login = identityProviders[provider];
  if (login === null) throw notConfigured(provider);
  return login;
}

export function notConfigured(provider: IdentityProviderName): AppError {
  return new AppError("not_found", {
    detail: `Login with ${displayNameOf(provider)} is not configured. Use another way to log in.`,
  });
}
