import { createStripeBilling } from "../adapters/billing-processor/stripe-billing.ts";
import { createTurnstileCaptcha, type TurnstileOptions } from "../adapters/captcha/turnstile-captcha.ts";
import { createGitHubLogin } from "../adapters/identity-provider/github-login.ts";
import { createGoogleLogin } from "../adapters/identity-provider/google-login.ts";
import { createKeyVerifiers } from "../adapters/provider-key-verifier/key-verifiers.ts";
import { createAcmeDbProvider } from "../adapters/service-provider/acme-db/acme-db-provider.ts";
import { createAgenticProvider } from "../adapters/service-provider/agentic/agentic-provider.ts";
import { createNeonProvider } from "../adapters/service-provider/neon/neon-provider.ts";
import { createSupabaseProvider } from "../adapters/service-provider/supabase/supabase-provider.ts";
import { createStripeWebhooks } from "../adapters/vendor-webhooks/stripe-webhooks.ts";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../foundation/clock.ts";
import { recordOf } from "../foundation/record-of.ts";
import { hasVendor, type VendorName, vendorNamesOf } from "../foundation/vendors/index.ts";
import { MODES } from "../foundation/vocabulary.ts";
import type { ServiceProvider } from "../ports/service-provider.ts";

interface VendorContext {
  readonly vendors: Config["vendors"];
  readonly timeouts: Config["timeouts"];
  readonly clock: Clock;
}

/**
 * For each vendor, a function that creates its adapter. For kind `captcha`, the function returns another function that
 * creates the adapter. For kind `key_verifier`, it returns the API URL of each mode.
 */
export const VENDOR_FACTORIES = {
  neon: ({ vendors: { urls, sandboxTokens }, timeouts: { providerMs } }) =>
    createNeonProvider({
      apiUrl: urls.NEON_API_URL,
      sandboxToken: sandboxTokens.NEON_SANDBOX_TOKEN ?? undefined,
      timeoutMs: providerMs,
    }),
  supabase: ({ vendors: { urls, apps, pollMs }, timeouts: { providerMs }, clock }) =>
    createSupabaseProvider({
      apiUrl: urls.SUPABASE_API_URL,
      app: apps.SUPABASE,
      pollAfterMs: pollMs.SUPABASE_POLL_MS,
      timeoutMs: providerMs,
      clock,
    }),
  stripe: ({ vendors: { urls, secretKeys }, timeouts: { providerMs } }) => {
    const billing = (secretKey: string) =>
      createStripeBilling({ apiUrl: urls.STRIPE_API_URL, secretKey, timeoutMs: providerMs });
    return {
      live: billing(secretKeys.STRIPE_SECRET_KEY),
      test: billing(secretKeys.STRIPE_TEST_SECRET_KEY),
    };
  },
  github: ({ vendors: { urls, apps }, timeouts: { loginMs } }) =>
    apps.GITHUB &&
    createGitHubLogin({
      webUrl: urls.GITHUB_URL,
      apiUrl: urls.GITHUB_API_URL,
      ...apps.GITHUB,
      timeoutMs: loginMs,
    }),
  google: ({ vendors: { urls, apps }, timeouts: { loginMs }, clock }) =>
    apps.GOOGLE &&
    createGoogleLogin({
      accountsUrl: urls.GOOGLE_ACCOUNTS_URL,
      tokenUrl: urls.GOOGLE_TOKEN_URL,
      certsUrl: urls.GOOGLE_CERTS_URL,
      ...apps.GOOGLE,
      timeoutMs: loginMs,
      clock,
    }),
  turnstile:
    ({ vendors: { urls } }: Pick<VendorContext, "vendors">) =>
    (site: Omit<TurnstileOptions, "apiUrl">) =>
      createTurnstileCaptcha({ ...site, apiUrl: urls.TURNSTILE_API_URL }),
  pimlico: ({ vendors: { urls } }) => recordOf(MODES, () => urls.PIMLICO_API_URL),
  turnkey: ({ vendors: { urls } }) => recordOf(MODES, () => urls.TURNKEY_API_URL),
  fireblocks: ({ vendors: { urls } }) => ({
    live: urls.FIREBLOCKS_API_URL,
    test: urls.FIREBLOCKS_SANDBOX_API_URL,
  }),
  bridge: ({ vendors: { urls } }) => ({
    live: urls.BRIDGE_API_URL,
    test: urls.BRIDGE_SANDBOX_API_URL,
  }),
  helius: ({ vendors: { urls } }) => ({
    live: urls.HELIUS_RPC_URL,
    test: urls.HELIUS_DEVNET_RPC_URL,
  }),
  "acme-db": ({ vendors: { urls }, timeouts: { providerMs } }) =>
    createAcmeDbProvider({ apiUrl: urls.ACME_DB_API_URL, timeoutMs: providerMs }),
} as const satisfies Readonly<Record<VendorName, (context: VendorContext) => unknown>>;

/** Creates the adapters of all vendors except the captcha vendors. */
export function composeVendors(
  {
    profile,
    vendors,
    agenticProviders,
    timeouts,
  }: Pick<Config, "profile" | "vendors" | "agenticProviders" | "timeouts">,
  clock: Clock,
): Pick<App, "providers" | "billing" | "vendorWebhooks" | "identityProviders" | "providerKeyVerifiers"> {
  const context = { vendors, timeouts, clock };
  const names = vendorNamesOf("service_provider").filter((name) => hasVendor(profile, name));
  const providers: readonly ServiceProvider[] = [
    ...names.map((name) => VENDOR_FACTORIES[name](context)),
    ...agenticProviders.map((options) => createAgenticProvider({ ...options, clock, timeoutMs: timeouts.providerMs })),
  ];
  return {
    providers: new Map(providers.map((provider) => [provider.provider, provider])),
    billing: VENDOR_FACTORIES.stripe(context),
    vendorWebhooks: new Map([
      [
        "stripe",
        createStripeWebhooks({
          live: vendors.webhookSecrets.STRIPE_WEBHOOK_SECRET,
          test: vendors.webhookSecrets.STRIPE_TEST_WEBHOOK_SECRET,
        }),
      ],
    ]),
    identityProviders: {
      github: VENDOR_FACTORIES.github(context),
      google: VENDOR_FACTORIES.google(context),
    },
    providerKeyVerifiers: createKeyVerifiers({
      apiUrls: recordOf(vendorNamesOf("key_verifier"), (name) => VENDOR_FACTORIES[name](context)),
      clock,
      timeoutMs: timeouts.keyCheckMs,
    }),
  };
}
