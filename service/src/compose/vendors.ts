import type { PlaidOptions } from "../adapters/bank-link/call-plaid.ts";
import { createPlaidBankLink } from "../adapters/bank-link/plaid-bank-link.ts";
import { createStripeBilling } from "../adapters/billing-processor/stripe-billing.ts";
import { createPimlicoBundlers } from "../adapters/bundler/pimlico-bundler.ts";
import { createAltchaCaptcha } from "../adapters/captcha/altcha-captcha.ts";
import { createTurnstileCaptcha, type TurnstileOptions } from "../adapters/captcha/turnstile-captcha.ts";
import { createGitHubLogin } from "../adapters/identity-provider/github-login.ts";
import { createGoogleLogin } from "../adapters/identity-provider/google-login.ts";
import { createPlaidScreening } from "../adapters/identity-screening/plaid-screening.ts";
import { createBridgeKeyVerifier } from "../adapters/provider-key-verifier/bridge-key-verifier.ts";
import { createFireblocksKeyVerifier } from "../adapters/provider-key-verifier/fireblocks-key-verifier.ts";
import { createHeliusKeyVerifier } from "../adapters/provider-key-verifier/helius-key-verifier.ts";
import type { KeyVerifierOptions } from "../adapters/provider-key-verifier/key-check.ts";
import { createPimlicoKeyVerifier } from "../adapters/provider-key-verifier/pimlico-key-verifier.ts";
import { createTurnkeyKeyVerifier } from "../adapters/provider-key-verifier/turnkey-key-verifier.ts";
import { createAcmeDbProvider } from "../adapters/service-provider/acme-db/acme-db-provider.ts";
import { createAgenticProvider } from "../adapters/service-provider/agentic/agentic-provider.ts";
import { createNeonProvider } from "../adapters/service-provider/neon/neon-provider.ts";
import { createSupabaseProvider } from "../adapters/service-provider/supabase/supabase-provider.ts";
import { createBridgeRamp } from "../adapters/stablecoin-ramp/bridge-ramp.ts";
import { createBridgeWebhooks } from "../adapters/vendor-webhooks/bridge-webhooks.ts";
import { createPlaidWebhooks } from "../adapters/vendor-webhooks/plaid-webhooks.ts";
import { createStripeWebhooks } from "../adapters/vendor-webhooks/stripe-webhooks.ts";
import { createAwsKmsSigner } from "../adapters/wallet-signer/aws-kms-wallet-signer.ts";
import { createLocalWalletSigner } from "../adapters/wallet-signer/local-wallet-signer.ts";
import { createTurnkeySigners } from "../adapters/wallet-signer/turnkey-wallet-signer.ts";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../foundation/clock.ts";
import { recordOf } from "../foundation/record-of.ts";
import type { Settings } from "../foundation/settings.ts";
import {
  hasVendor,
  type RoleOf,
  type VendorName,
  type VendorRole,
  type VendorUrlName,
  vendorNamesOf,
} from "../foundation/vendors.ts";
import { MODES, type Mode } from "../foundation/vocabulary.ts";
import type { OpenBundler } from "../ports/bundler.ts";
import type { Captcha } from "../ports/captcha.ts";
import type { FastState } from "../ports/fast-state.ts";
import type { RedirectLogin } from "../ports/identity-provider.ts";
import type { ProviderKeyVerifier } from "../ports/provider-key-verifier.ts";
import type { ServiceProvider } from "../ports/service-provider.ts";
import type { OpenStablecoinRamp } from "../ports/stablecoin-ramp.ts";
import type { VendorWebhooks } from "../ports/vendor-webhooks.ts";
import type { OpenAccountSigner } from "../ports/wallet-signer.ts";

interface VendorContext {
  readonly vendors: Config["vendors"];
  readonly timeouts: Config["timeouts"];
  readonly clock: Clock;
}

/** What a vendor's adapter is for each role. */
interface RoleAdapters {
  readonly service_provider: ServiceProvider;
  readonly key_verifier: ProviderKeyVerifier;
  readonly billing: App["billing"];
  /** Null if the operator has not registered an OAuth app. */
  readonly identity: RedirectLogin | null;
  readonly captcha: (site: Omit<TurnstileOptions, "apiUrl">) => Captcha;
  readonly ramp: OpenStablecoinRamp;
  readonly bundler: OpenBundler;
  readonly wallet_signer: OpenAccountSigner;
  readonly bank_link: App["bankLink"];
  readonly screening: App["identityScreening"];
}

/** A factory for each role of a vendor, and one for its webhooks if it sends any. */
type VendorFactories<Role extends VendorRole> = {
  readonly [Each in Role]: (context: VendorContext) => RoleAdapters[Each];
} & { readonly webhooks?: (context: VendorContext) => VendorWebhooks };

function keyVerifier(
  create: (options: KeyVerifierOptions) => ProviderKeyVerifier,
  live: VendorUrlName,
  test: VendorUrlName = live,
): (context: VendorContext) => ProviderKeyVerifier {
  return ({ vendors: { urls }, timeouts: { keyCheckMs: timeoutMs }, clock }) =>
    create({ apiUrl: { live: urls[live], test: urls[test] }, timeoutMs, clock });
}

/** Returns Plaid's credentials of a mode, or null if the operator has none. */
function plaidOptions({ vendors: { urls, optionalKeys }, timeouts }: VendorContext, mode: Mode): PlaidOptions | null {
  const clientId = optionalKeys.PLAID_CLIENT_ID;
  const secret = mode === "live" ? optionalKeys.PLAID_SECRET : optionalKeys.PLAID_TEST_SECRET;
  if (clientId === null || secret === null) return null;
  const apiUrl = mode === "live" ? urls.PLAID_API_URL : urls.PLAID_SANDBOX_API_URL;
  return { apiUrl, clientId, secret, timeoutMs: timeouts.providerMs };
}

function inPlaidModes<Adapter>(create: (options: PlaidOptions) => Adapter) {
  return (context: VendorContext): Readonly<Record<Mode, Adapter | null>> =>
    recordOf(MODES, (mode) => {
      const options = plaidOptions(context, mode);
      return options && create(options);
    });
}

/** The registry. Without the factories of a vendor's roles, the type check fails. */
const VENDORS = {
  neon: {
    service_provider: ({ vendors: { urls, sandboxTokens }, timeouts }) =>
      createNeonProvider({
        apiUrl: urls.NEON_API_URL,
        sandboxToken: sandboxTokens.NEON_SANDBOX_TOKEN ?? undefined,
        timeoutMs: timeouts.providerMs,
      }),
  },
  supabase: {
    service_provider: ({ vendors: { urls, apps, pollMs }, timeouts, clock }) =>
      createSupabaseProvider({
        apiUrl: urls.SUPABASE_API_URL,
        app: apps.SUPABASE,
        pollAfterMs: pollMs.SUPABASE_POLL_MS,
        timeoutMs: timeouts.providerMs,
        clock,
      }),
  },
  stripe: {
    billing: ({ vendors: { urls, secretKeys }, timeouts }) => {
      const common = { apiUrl: urls.STRIPE_API_URL, timeoutMs: timeouts.providerMs };
      return {
        live: createStripeBilling({ ...common, secretKey: secretKeys.STRIPE_SECRET_KEY }),
        test: createStripeBilling({ ...common, secretKey: secretKeys.STRIPE_TEST_SECRET_KEY }),
      };
    },
    webhooks: ({ vendors: { webhookSecrets } }) =>
      createStripeWebhooks({
        live: webhookSecrets.STRIPE_WEBHOOK_SECRET,
        test: webhookSecrets.STRIPE_TEST_WEBHOOK_SECRET,
      }),
  },
  github: {
    identity: ({ vendors: { urls, apps }, timeouts }) =>
      apps.GITHUB &&
      createGitHubLogin({
        webUrl: urls.GITHUB_URL,
        apiUrl: urls.GITHUB_API_URL,
        ...apps.GITHUB,
        timeoutMs: timeouts.loginMs,
      }),
  },
  google: {
    identity: ({ vendors: { urls, apps }, timeouts, clock }) =>
      apps.GOOGLE &&
      createGoogleLogin({
        accountsUrl: urls.GOOGLE_ACCOUNTS_URL,
        tokenUrl: urls.GOOGLE_TOKEN_URL,
        certsUrl: urls.GOOGLE_CERTS_URL,
        ...apps.GOOGLE,
        timeoutMs: timeouts.loginMs,
        clock,
      }),
  },
  turnstile: {
    captcha:
      ({ vendors: { urls } }) =>
      (site) =>
        createTurnstileCaptcha({ ...site, apiUrl: urls.TURNSTILE_API_URL }),
  },
  pimlico: {
    key_verifier: keyVerifier(createPimlicoKeyVerifier, "PIMLICO_API_URL"),
    bundler: ({ vendors: { urls }, timeouts: { rpcMs: timeoutMs } }) =>
      createPimlicoBundlers({ apiUrl: urls.PIMLICO_API_URL, timeoutMs }),
  },
  turnkey: {
    key_verifier: keyVerifier(createTurnkeyKeyVerifier, "TURNKEY_API_URL"),
    wallet_signer: ({ vendors: { urls }, timeouts: { rpcMs: timeoutMs } }) =>
      createTurnkeySigners({ apiUrl: urls.TURNKEY_API_URL, timeoutMs }),
  },
  fireblocks: {
    key_verifier: keyVerifier(createFireblocksKeyVerifier, "FIREBLOCKS_API_URL", "FIREBLOCKS_SANDBOX_API_URL"),
  },
  bridge: {
    key_verifier: keyVerifier(createBridgeKeyVerifier, "BRIDGE_API_URL", "BRIDGE_SANDBOX_API_URL"),
    ramp: ({ vendors: { urls }, timeouts: { providerMs: timeoutMs } }) =>
      createBridgeRamp({ apiUrl: { live: urls.BRIDGE_API_URL, test: urls.BRIDGE_SANDBOX_API_URL }, timeoutMs }),
    webhooks: ({ vendors: { webhookSecrets } }) =>
      createBridgeWebhooks({
        live: webhookSecrets.BRIDGE_WEBHOOK_PUBLIC_KEY,
        test: webhookSecrets.BRIDGE_TEST_WEBHOOK_PUBLIC_KEY,
      }),
  },
  plaid: {
    bank_link: inPlaidModes(createPlaidBankLink),
    screening: inPlaidModes(createPlaidScreening),
    webhooks: (context) => createPlaidWebhooks(recordOf(MODES, (mode) => plaidOptions(context, mode))),
  },
  helius: { key_verifier: keyVerifier(createHeliusKeyVerifier, "HELIUS_RPC_URL", "HELIUS_DEVNET_RPC_URL") },
  "acme-db": {
    service_provider: ({ vendors: { urls }, timeouts }) =>
      createAcmeDbProvider({ apiUrl: urls.ACME_DB_API_URL, timeoutMs: timeouts.providerMs }),
  },
} as const satisfies { readonly [Name in VendorName]: VendorFactories<RoleOf<Name>> };

/** Creates the adapters of all vendors except the captcha vendors. */
export function composeVendors(
  {
    settings,
    vendors,
    agenticProviders,
    timeouts,
    walletSigner,
  }: Pick<Config, "vendors" | "agenticProviders" | "timeouts" | "walletSigner"> & {
    readonly settings: Pick<Settings, "profile">;
  },
  clock: Clock,
): Pick<
  App,
  | "providers"
  | "billing"
  | "bankLink"
  | "identityScreening"
  | "ramp"
  | "bundlers"
  | "walletSigners"
  | "vendorWebhooks"
  | "identityProviders"
  | "providerKeyVerifiers"
> {
  const context = { vendors, timeouts, clock };
  const names = vendorNamesOf("service_provider").filter((name) => hasVendor(settings.profile, name));
  const providers: readonly ServiceProvider[] = [
    ...names.map((name) => VENDORS[name].service_provider(context)),
    ...agenticProviders.map((options) => createAgenticProvider({ ...options, clock, timeoutMs: timeouts.providerMs })),
  ];
  const verifiers = vendorNamesOf("key_verifier").map((name) => VENDORS[name].key_verifier(context));
  return {
    providers: new Map(providers.map((provider) => [provider.provider, provider])),
    billing: VENDORS.stripe.billing(context),
    bankLink: VENDORS.plaid.bank_link(context),
    identityScreening: VENDORS.plaid.screening(context),
    vendorWebhooks: webhooksOf(context),
    identityProviders: { github: VENDORS.github.identity(context), google: VENDORS.google.identity(context) },
    providerKeyVerifiers: new Map(verifiers.map((verifier) => [verifier.provider, verifier])),
    ramp: {
      open: VENDORS.bridge.ramp(context),
      operatorKeys: { live: vendors.optionalKeys.BRIDGE_API_KEY, test: vendors.optionalKeys.BRIDGE_TEST_API_KEY },
    },
    bundlers: { open: VENDORS.pimlico.bundler(context), operatorKey: vendors.optionalKeys.PIMLICO_API_KEY },
    walletSigners: {
      name: walletSigner,
      local: createLocalWalletSigner(),
      awsKms: createAwsKmsSigner({ timeoutMs: timeouts.rpcMs }),
      openTurnkey: VENDORS.turnkey.wallet_signer(context),
      turnkeyOperatorKeys: turnkeyKeys(vendors.optionalKeys),
    },
  };
}

function turnkeyKeys(keys: Config["vendors"]["optionalKeys"]): App["walletSigners"]["turnkeyOperatorKeys"] {
  const { TURNKEY_ORGANIZATION_ID: organization_id, TURNKEY_API_PRIVATE_KEY: api_private_key } = keys;
  return organization_id !== null && api_private_key !== null ? { organization_id, api_private_key } : null;
}

function webhooksOf(context: VendorContext): App["vendorWebhooks"] {
  const registry: Readonly<Record<string, VendorFactories<never>>> = VENDORS;
  return new Map(
    Object.entries(registry).flatMap(([name, { webhooks }]) => (webhooks ? [[name, webhooks(context)]] : [])),
  );
}

/**
 * Creates the configured captcha. A vendor's captcha tokens are accepted only if they were issued for this server's
 * hostname.
 */
export function composeCaptcha(
  { captcha, settings, ...context }: Pick<Config, "captcha" | "settings"> & VendorContext,
  claimOnce: FastState["claimOnce"],
): Captcha {
  if (captcha.kind === "altcha") {
    const { secret: hmacSecret, acceptDummies } = captcha;
    return createAltchaCaptcha({ hmacSecret, acceptDummies, claimOnce });
  }
  const { kind, ...keys } = captcha;
  const { hostname } = new URL(settings.publicUrl);
  return VENDORS[kind].captcha(context)({ ...keys, hostname, claimOnce });
}
