import { createStripeBilling } from "../adapters/billing-processor/stripe-billing.ts";
import { createGitHubLogin } from "../adapters/identity-provider/github-login.ts";
import { createGoogleLogin } from "../adapters/identity-provider/google-login.ts";
import { createKeyVerifiers } from "../adapters/provider-key-verifier/key-verifiers.ts";
import { createNeonProvider } from "../adapters/service-provider/neon-provider.ts";
import { createSupabaseProvider } from "../adapters/service-provider/supabase-provider.ts";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../foundation/clock.ts";

/** Everybody whom the service calls, as the configuration names them. */
export function composeVendors(
  config: Pick<Config, "vendors" | "timeouts">,
  clock: Clock,
): Pick<App, "providers" | "billing" | "identityProviders" | "providerKeyVerifiers"> {
  const { neon, supabase, stripe, keys } = config.vendors;
  const { providerMs: timeoutMs, keyCheckMs } = config.timeouts;
  const providers = [
    createNeonProvider({ ...neon, timeoutMs }),
    createSupabaseProvider({ ...supabase, timeoutMs, clock }),
  ];
  const billing = (mode: "live" | "test") =>
    createStripeBilling({ apiUrl: stripe.apiUrl, secretKey: stripe.secretKeys[mode], timeoutMs });
  return {
    providers: new Map(providers.map((provider) => [provider.provider, provider])),
    billing: { live: billing("live"), test: billing("test") },
    identityProviders: composeIdentityProviders(config, clock),
    providerKeyVerifiers: createKeyVerifiers({ apiUrls: keys, clock, timeoutMs: keyCheckMs }),
  };
}

function composeIdentityProviders(
  {
    vendors: { github, google },
    timeouts: { loginMs: timeoutMs },
  }: Pick<Config, "vendors" | "timeouts">,
  clock: Clock,
): App["identityProviders"] {
  return {
    github: github.app && createGitHubLogin({ ...github, ...github.app, timeoutMs }),
    google: google.app && createGoogleLogin({ ...google, ...google.app, timeoutMs, clock }),
  };
}
