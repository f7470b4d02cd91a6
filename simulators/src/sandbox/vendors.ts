import { acmeDbSimulator } from "../acme-db/acme-db-simulator.ts";
import { AGENTIC_CLIENT_ID, type AgenticProviderShape, termsOf } from "../agentic/agentic-options.ts";
import { agenticSimulator } from "../agentic/agentic-simulator.ts";
import { ACME_ANALYTICS, ACME_QUEUE } from "../agentic/shapes.ts";
import { OPERATOR_KEYS as BRIDGE_KEYS } from "../bridge/bridge-route.ts";
import { bridgeSimulator } from "../bridge/bridge-simulator.ts";
import { webhookPublicKey } from "../bridge/events.ts";
import { fireblocksCredentials } from "../fireblocks/api-users.ts";
import { fireblocksSimulator } from "../fireblocks/fireblocks-simulator.ts";
import { githubSimulator } from "../github/github-simulator.ts";
import { googleSimulator, type MintedIdToken, mintIdToken } from "../google/google-simulator.ts";
import { heliusSimulator } from "../helius/helius-simulator.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import type { SendWebhook, VendorSimulator } from "../kit/vendor-simulator.ts";
import { neonSimulator } from "../neon/neon-simulator.ts";
import type { BundlerOptions } from "../pimlico/bundler-route.ts";
import { pimlicoSimulator } from "../pimlico/pimlico-simulator.ts";
import { plaidSimulator } from "../plaid/plaid-simulator.ts";
import { stripeSimulator } from "../stripe/stripe-simulator.ts";
import { supabaseSimulator } from "../supabase/supabase-simulator.ts";
import { approveActivities } from "../turnkey/activities.ts";
import { turnkeyCredentials } from "../turnkey/organizations.ts";
import { turnkeySimulator } from "../turnkey/turnkey-simulator.ts";
import { turnstileSimulator } from "../turnstile/turnstile-simulator.ts";

// Credentials that only the simulators accept. They are constants, so they stay valid after a restart.
const SUPABASE_APP = {
  clientId: "5a9d0c1e-7b1f-4c58-9d6b-0f3a6c2e8b41",
  clientSecret: "sandbox-client-secret",
};
const GITHUB_APP = {
  clientId: "Ov23li5andb0x5andb0x",
  clientSecret: "sandbox-github-client-secret",
};
const GOOGLE_APP = {
  clientId: "000000000000-sandbox.apps.googleusercontent.com",
  clientSecret: "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",
};
const STRIPE_KEYS = { live: "sk_live_sandbox", test: "sk_test_sandbox" };
const STRIPE_WEBHOOK_SECRETS = { live: "whsec_sandboxlive", test: "whsec_sandboxtest" };
const PLAID_CREDENTIALS = {
  clientId: "sandbox_plaid_client_id",
  secrets: { live: "sandbox_plaid_live_secret", test: "sandbox_plaid_test_secret" },
};
const TURNSTILE_KEYS = {
  siteKey: "0x4AAAAAAAsandboxsitekey",
  secretKey: "0x4AAAAAAAsandboxsandboxsandboxsecret",
};
const PLAIN_KEYS = {
  credentials: { api_key: "sandbox-acme" },
  refusedCredentials: { api_key: "sandbox-refused" },
};
const SUPABASE_READY_AFTER_MS = 3_000;

export interface VendorOptions extends BundlerOptions {
  /**
   * The URL of the Postgres server on which Neon projects are real databases. The URL's role must have CREATEDB and
   * CREATEROLE.
   */
  readonly neonAdminUrl: string;
  /** Redirect URIs of the OAuth app registered with Supabase. */
  readonly redirectUris: readonly string[];
  /** Redirect URIs of the OAuth apps registered with GitHub and Google. Default: none. */
  readonly loginRedirectUris?: readonly string[];
  /** Sends vendors' events to the Purser server. Undefined if no events are sent. */
  readonly sendWebhook?: SendWebhook;
  /** Time until a new Supabase project is ready, in milliseconds. Default: 3,000. */
  readonly supabaseReadyAfterMs?: number;
}

export interface VendorAccess {
  /** Environment variables that make a Purser server call this simulator, in live and test mode. */
  readonly environment: Readonly<Record<string, string>>;
  /** The entry for the vendor in `PURSER_AGENTIC_PROVIDERS`. Undefined for other vendors. */
  readonly agenticProvider?: object;
}

/** Credentials for a vendor whose API keys developers store in Purser. */
interface VendorKeys {
  /** Well-formed `credentials` for `PUT /provider-keys` that the vendor accepts. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Well-formed `credentials` for `PUT /provider-keys` that the vendor rejects. */
  readonly refusedCredentials: Readonly<Record<string, string>>;
}

export interface SandboxVendor {
  readonly simulator: (options: VendorOptions) => VendorSimulator;
  readonly access: (vendor: RunningVendor, options: VendorOptions) => VendorAccess | Promise<VendorAccess>;
  /** If true, the vendor uses the Purser server's clock instead of the sandbox's clock. */
  readonly usesServiceClock?: true;
}

/** The simulated vendors, in the order in which they start and appear on the control page. */
export const SANDBOX_VENDORS = {
  neon: {
    simulator: ({ neonAdminUrl }) => neonSimulator({ adminUrl: neonAdminUrl }),
    usesServiceClock: true,
    access: (vendor) => {
      const url = `${vendor.url}/api/v2`;
      /** The simulator accepts tokens that start with `sandbox-`, except those that start with `sandbox-refused`. */
      const exampleToken = "sandbox-ada";
      return {
        url,
        exampleToken,
        environment: { NEON_API_URL: url, NEON_SANDBOX_TOKEN: exampleToken },
      };
    },
  },
  supabase: {
    simulator: ({ redirectUris, supabaseReadyAfterMs: readyAfterMs = SUPABASE_READY_AFTER_MS }) =>
      supabaseSimulator({ ...SUPABASE_APP, redirectUris, readyAfterMs }),
    access: ({ url }) => ({
      url,
      ...SUPABASE_APP,
      environment: { SUPABASE_API_URL: url, ...appVariables("SUPABASE", SUPABASE_APP) },
    }),
  },
  stripe: {
    // Purser rejects webhooks that are older than five minutes.
    usesServiceClock: true,
    simulator: ({ sendWebhook }) =>
      stripeSimulator({
        secretKeys: STRIPE_KEYS,
        webhookSecrets: STRIPE_WEBHOOK_SECRETS,
        sendWebhook,
      }),
    access: ({ url }) => ({
      url,
      secretKeys: STRIPE_KEYS,
      webhookSecrets: STRIPE_WEBHOOK_SECRETS,
      environment: {
        STRIPE_API_URL: url,
        STRIPE_SECRET_KEY: STRIPE_KEYS.live,
        STRIPE_TEST_SECRET_KEY: STRIPE_KEYS.test,
        STRIPE_PUBLISHABLE_KEY: "pk_live_sandbox",
        STRIPE_TEST_PUBLISHABLE_KEY: "pk_test_sandbox",
        STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRETS.live,
        STRIPE_TEST_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRETS.test,
      },
    }),
  },
  github: {
    usesServiceClock: true,
    simulator: ({ loginRedirectUris: redirectUris = [] }) => githubSimulator({ ...GITHUB_APP, redirectUris }),
    access: ({ url }) => ({
      webUrl: url,
      apiUrl: url,
      ...GITHUB_APP,
      environment: {
        GITHUB_URL: url,
        GITHUB_API_URL: url,
        ...appVariables("GITHUB", GITHUB_APP),
      },
    }),
  },
  google: {
    usesServiceClock: true,
    simulator: ({ loginRedirectUris: redirectUris = [] }) => googleSimulator({ ...GOOGLE_APP, redirectUris }),
    access: ({ url: accountsUrl, context }, { loginRedirectUris: redirectUris = [] }) => {
      /** The full URL of the token endpoint. */
      const tokenUrl = `${accountsUrl}/token`;
      /** The full URL of the public keys that verify ID tokens. */
      const certsUrl = `${accountsUrl}/oauth2/v3/certs`;
      return {
        accountsUrl,
        tokenUrl,
        certsUrl,
        ...GOOGLE_APP,
        /** Issues an ID token for the app without a consent page. */
        mint: (token: MintedIdToken) => mintIdToken(context, { ...GOOGLE_APP, redirectUris }, token),
        environment: {
          GOOGLE_ACCOUNTS_URL: accountsUrl,
          GOOGLE_TOKEN_URL: tokenUrl,
          GOOGLE_CERTS_URL: certsUrl,
          ...appVariables("GOOGLE", GOOGLE_APP),
        },
      };
    },
  },
  pimlico: {
    usesServiceClock: true,
    simulator: ({ rpcUrlOf }) => pimlicoSimulator({ rpcUrlOf }),
    access: ({ url }) => {
      const access = keyAccess(url, ["PIMLICO_API_URL"], PLAIN_KEYS);
      return { ...access, environment: { ...access.environment, PIMLICO_API_KEY: "sandbox-operator" } };
    },
  },
  turnkey: {
    usesServiceClock: true,
    simulator: () => turnkeySimulator(),
    access: ({ url, context }) => {
      const { approvedCredentials, ...keys } = turnkeyCredentials();
      const access = keyAccess(url, ["TURNKEY_API_URL"], keys);
      const { organization_id: TURNKEY_ORGANIZATION_ID, api_private_key: TURNKEY_API_PRIVATE_KEY } = keys.credentials;
      const environment = { ...access.environment, TURNKEY_ORGANIZATION_ID, TURNKEY_API_PRIVATE_KEY };
      /** Approves what waits for another user. */
      const approve = () => approveActivities(context);
      return { ...access, environment, approvedCredentials, approve };
    },
  },
  fireblocks: {
    usesServiceClock: true,
    simulator: () => fireblocksSimulator(),
    access: async ({ url, context }) =>
      keyAccess(url, ["FIREBLOCKS_API_URL", "FIREBLOCKS_SANDBOX_API_URL"], await fireblocksCredentials(context)),
  },
  bridge: {
    usesServiceClock: true,
    simulator: ({ sendWebhook, rpcUrlOf }) => bridgeSimulator({ sendWebhook, rpcUrlOf }),
    access: async ({ url, context }) => {
      const access = keyAccess(url, ["BRIDGE_API_URL", "BRIDGE_SANDBOX_API_URL"], PLAIN_KEYS);
      const operator = {
        BRIDGE_API_KEY: BRIDGE_KEYS.live,
        BRIDGE_TEST_API_KEY: BRIDGE_KEYS.test,
        BRIDGE_WEBHOOK_PUBLIC_KEY: await webhookPublicKey(context, BRIDGE_KEYS.live),
        BRIDGE_TEST_WEBHOOK_PUBLIC_KEY: await webhookPublicKey(context, BRIDGE_KEYS.test),
      };
      return { ...access, environment: { ...access.environment, ...operator } };
    },
  },
  plaid: {
    usesServiceClock: true,
    simulator: ({ sendWebhook }) => plaidSimulator({ credentials: PLAID_CREDENTIALS, sendWebhook }),
    access: ({ url }) => ({
      url,
      ...PLAID_CREDENTIALS,
      environment: {
        PLAID_API_URL: url,
        PLAID_SANDBOX_API_URL: url,
        PLAID_CLIENT_ID: PLAID_CREDENTIALS.clientId,
        PLAID_SECRET: PLAID_CREDENTIALS.secrets.live,
        PLAID_TEST_SECRET: PLAID_CREDENTIALS.secrets.test,
      },
    }),
  },
  helius: {
    usesServiceClock: true,
    simulator: () => heliusSimulator(),
    access: ({ url }) => keyAccess(url, ["HELIUS_RPC_URL", "HELIUS_DEVNET_RPC_URL"], PLAIN_KEYS),
  },
  turnstile: {
    simulator: () => turnstileSimulator(TURNSTILE_KEYS),
    access: ({ url }) => ({
      url,
      ...TURNSTILE_KEYS,
      environment: {
        TURNSTILE_API_URL: url,
        // Used with PURSER_CAPTCHA=turnstile only.
        CAPTCHA_SITE_KEY: TURNSTILE_KEYS.siteKey,
        CAPTCHA_SECRET_KEY: TURNSTILE_KEYS.secretKey,
      },
    }),
  },
  "acme-db": {
    simulator: () => acmeDbSimulator(),
    access: ({ url }) => ({ url, environment: { ACME_DB_API_URL: url } }),
  },
  "acme-analytics": {
    simulator: ({ redirectUris }) => agenticSimulator({ shape: ACME_ANALYTICS, redirectUris }),
    access: agenticAccess(ACME_ANALYTICS),
  },
  "acme-queue": {
    simulator: ({ redirectUris }) => agenticSimulator({ shape: ACME_QUEUE, redirectUris }),
    access: agenticAccess(ACME_QUEUE),
  },
} as const satisfies Readonly<Record<string, SandboxVendor>>;

export type SandboxVendorName = keyof typeof SANDBOX_VENDORS;
export const SANDBOX_VENDOR_NAMES = Object.keys(SANDBOX_VENDORS) as SandboxVendorName[];

/** Each vendor's URL and credentials, by name. */
export type SandboxVendors = {
  readonly [Name in SandboxVendorName]: Awaited<ReturnType<(typeof SANDBOX_VENDORS)[Name]["access"]>>;
};

/** Returns a function for the entry of `PURSER_AGENTIC_PROVIDERS` that makes a Purser server call this simulator. */
function agenticAccess(shape: AgenticProviderShape) {
  const { vendor, displayName, paymentCredentials, hasDeepLinks, revokesTokens } = shape;
  return ({ url }: RunningVendor) => ({
    url,
    environment: {},
    agenticProvider: {
      provider: vendor,
      display_name: displayName,
      base_url: url,
      client_id: AGENTIC_CLIENT_ID,
      ...(paymentCredentials === "orchestrator"
        ? { billed_by: "purser", payment_token: "spt_sandbox" }
        : { billed_by: "vendor" }),
      deep_links: hasDeepLinks,
      revokes_tokens: revokesTokens,
      terms: termsOf(shape),
    },
  });
}

function appVariables(
  prefix: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Readonly<Record<string, string>> {
  return { [`${prefix}_CLIENT_ID`]: clientId, [`${prefix}_CLIENT_SECRET`]: clientSecret };
}

function keyAccess(
  url: string,
  variables: readonly string[],
  { credentials, refusedCredentials }: VendorKeys,
): VendorAccess & VendorKeys & { readonly url: string } {
  const environment = Object.fromEntries(variables.map((name) => [name, url]));
  return { url, credentials, refusedCredentials, environment };
}
