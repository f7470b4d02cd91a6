import { createGitHubLogin } from "../adapters/github-login.ts";
import { createGoogleLogin } from "../adapters/google-login.ts";
import { createKeyVerifiers } from "../adapters/key-verifiers.ts";
import { createNeonProvider } from "../adapters/neon-provider.ts";
import { createStripeBilling } from "../adapters/stripe-billing.ts";
import { createSupabaseProvider } from "../adapters/supabase-provider.ts";
import type { App } from "../app.ts";
import type { VendorsConfig } from "../config/vendors.ts";
import type { Clock } from "../foundation/clock.ts";

/** Everybody whom the service calls, as the configuration names them. */
export function composeVendors(
  vendors: VendorsConfig,
  clock: Clock,
): Pick<App, "providers" | "billing" | "identityProviders" | "providerKeyVerifiers"> {
  const { neon, supabase, stripe, keys } = vendors;
  const providers = [createNeonProvider(neon), createSupabaseProvider({ ...supabase, clock })];
  const billing = (mode: "live" | "test") =>
    createStripeBilling({ apiUrl: stripe.apiUrl, secretKey: stripe.secretKeys[mode] });
  return {
    providers: new Map(providers.map((provider) => [provider.provider, provider])),
    billing: { live: billing("live"), test: billing("test") },
    identityProviders: composeIdentityProviders(vendors, clock),
    providerKeyVerifiers: createKeyVerifiers({ apiUrls: keys, clock }),
  };
}

function composeIdentityProviders(
  { github, google }: VendorsConfig,
  clock: Clock,
): App["identityProviders"] {
  return {
    github: github.app && createGitHubLogin({ ...github, ...github.app }),
    google: google.app && createGoogleLogin({ ...google, ...google.app, clock }),
  };
}
