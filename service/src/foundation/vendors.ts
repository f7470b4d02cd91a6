import type { Mode, Profile } from "./vocabulary.ts";

/** What Purser uses a vendor for. A vendor can have several roles. */
export type VendorRole =
  | "service_provider"
  | "key_verifier"
  | "billing"
  | "identity"
  | "captcha"
  | "bank_link"
  | "screening"
  | "ramp"
  | "bundler"
  | "wallet_signer";

/** The facts about a vendor that need none of its code. Its adapters are in `compose/vendors.ts`. */
export interface Vendor {
  /** The name in the catalog, in the sandbox and in errors: lowercase words with hyphens. */
  readonly name: string;
  /** The name as shown to users. */
  readonly displayName: string;
  readonly roles: readonly VendorRole[];
  /** Set if the vendor does not exist. Production does not have it, and rejects its environment variables. */
  readonly isFictional?: true;
  /** The vendor's URLs without a trailing slash, by the environment variable that overrides each. */
  readonly urls: Readonly<Record<string, string>>;
  /** The prefix of an OAuth app's two variables: `GITHUB` for `GITHUB_CLIENT_ID` and `GITHUB_CLIENT_SECRET`. */
  readonly app?: string;
  /** The mode and the format of each secret key, by environment variable. */
  readonly secretKeys?: Readonly<Record<string, { readonly mode: Mode; readonly form: RegExp }>>;
  /** Credentials without which the server starts, and lacks what the vendor does for it. */
  readonly optionalKeys?: Vendor["secretKeys"];
  /** The mode and the format of what verifies the vendor's webhooks, by environment variable: a secret or a public key. */
  readonly webhookSecrets?: Vendor["secretKeys"];
  /** Default intervals for polling a new resource, in milliseconds, by the environment variable that overrides each. */
  readonly pollMs?: Readonly<Record<string, number>>;
  /** The environment variable for a token that the sandbox accepts. Used only in the local profile. */
  readonly sandboxToken?: string;
  /** Patterns that match the vendor's credentials, for redaction. They must have the flag `g`. */
  readonly credentials?: readonly RegExp[];
}

const PUBLIC_KEY = /^-----BEGIN PUBLIC KEY-----[\s\w+/=]+-----END PUBLIC KEY-----\s*$/;

/** All vendors. Configuration problems are listed in this order. */
const VENDORS = [
  {
    name: "neon",
    displayName: "Neon",
    roles: ["service_provider"],
    urls: { NEON_API_URL: "https://console.neon.tech/api/v2" },
    sandboxToken: "NEON_SANDBOX_TOKEN",
    // Database passwords (`npg`) and API keys (`napi`).
    credentials: [/(?:npg|napi)_[\w-]+/g],
  },
  {
    name: "supabase",
    displayName: "Supabase",
    roles: ["service_provider"],
    urls: { SUPABASE_API_URL: "https://api.supabase.com" },
    app: "SUPABASE",
    // The interval is long, because a project takes minutes to start, and Supabase limits the number of requests per
    // organization.
    pollMs: { SUPABASE_POLL_MS: 5_000 },
    credentials: [/(?:sbp|sb_secret)_[\w-]+/g],
  },
  {
    name: "stripe",
    displayName: "Stripe",
    roles: ["billing"],
    urls: { STRIPE_API_URL: "https://api.stripe.com" },
    // Keys that start with "rk" are restricted keys, which Stripe recommends.
    secretKeys: {
      STRIPE_SECRET_KEY: { mode: "live", form: /^[rs]k_live_\w+$/ },
      STRIPE_TEST_SECRET_KEY: { mode: "test", form: /^[rs]k_test_\w+$/ },
    },
    // Public: the dashboard gives them to Stripe's script.
    optionalKeys: {
      STRIPE_PUBLISHABLE_KEY: { mode: "live", form: /^pk_live_\w+$/ },
      STRIPE_TEST_PUBLISHABLE_KEY: { mode: "test", form: /^pk_test_\w+$/ },
    },
    webhookSecrets: {
      STRIPE_WEBHOOK_SECRET: { mode: "live", form: /^whsec_\w+$/ },
      STRIPE_TEST_WEBHOOK_SECRET: { mode: "test", form: /^whsec_\w+$/ },
    },
    credentials: [
      /(?:whsec|[sr]k_(?:live|test))_[\w-]+/g,
      // Client secrets, which authorize a browser to act on one object, such as a payment intent.
      /(?:pi|seti|cs|src)_\w{1,128}?_secret_\w+/g,
    ],
  },
  {
    name: "github",
    displayName: "GitHub",
    roles: ["identity"],
    urls: { GITHUB_URL: "https://github.com", GITHUB_API_URL: "https://api.github.com" },
    app: "GITHUB",
  },
  {
    name: "google",
    displayName: "Google",
    roles: ["identity"],
    urls: {
      GOOGLE_ACCOUNTS_URL: "https://accounts.google.com",
      GOOGLE_TOKEN_URL: "https://oauth2.googleapis.com/token",
      GOOGLE_CERTS_URL: "https://www.googleapis.com/oauth2/v3/certs",
    },
    app: "GOOGLE",
  },
  {
    name: "turnstile",
    displayName: "Turnstile",
    roles: ["captcha"],
    urls: { TURNSTILE_API_URL: "https://challenges.cloudflare.com" },
  },
  {
    name: "pimlico",
    displayName: "Pimlico",
    roles: ["key_verifier", "bundler"],
    urls: { PIMLICO_API_URL: "https://api.pimlico.io" },
    optionalKeys: { PIMLICO_API_KEY: { mode: "live", form: /^[\w-]{8,200}$/ } },
  },
  {
    name: "turnkey",
    displayName: "Turnkey",
    roles: ["key_verifier", "wallet_signer"],
    urls: { TURNKEY_API_URL: "https://api.turnkey.com" },
    optionalKeys: {
      TURNKEY_ORGANIZATION_ID: { mode: "live", form: /^[\da-f-]{36}$/ },
      TURNKEY_API_PRIVATE_KEY: { mode: "live", form: /^[\da-f]{64}$/ },
    },
  },
  {
    name: "fireblocks",
    displayName: "Fireblocks",
    roles: ["key_verifier"],
    urls: {
      FIREBLOCKS_API_URL: "https://api.fireblocks.io",
      FIREBLOCKS_SANDBOX_API_URL: "https://sandbox-api.fireblocks.io",
    },
  },
  {
    name: "bridge",
    displayName: "Bridge",
    roles: ["key_verifier", "ramp"],
    urls: {
      BRIDGE_API_URL: "https://api.bridge.xyz",
      BRIDGE_SANDBOX_API_URL: "https://api.sandbox.bridge.xyz",
    },
    optionalKeys: {
      BRIDGE_API_KEY: { mode: "live", form: /^sk-live-[\w-]+$/ },
      BRIDGE_TEST_API_KEY: { mode: "test", form: /^sk-test-[\w-]+$/ },
    },
    webhookSecrets: {
      BRIDGE_WEBHOOK_PUBLIC_KEY: { mode: "live", form: PUBLIC_KEY },
      BRIDGE_TEST_WEBHOOK_PUBLIC_KEY: { mode: "test", form: PUBLIC_KEY },
    },
    credentials: [/sk-(?:live|test)-[\w-]+/g],
  },
  {
    name: "plaid",
    displayName: "Plaid",
    roles: ["bank_link", "screening"],
    urls: {
      PLAID_API_URL: "https://production.plaid.com",
      PLAID_SANDBOX_API_URL: "https://sandbox.plaid.com",
    },
    optionalKeys: {
      // One client id for both modes.
      PLAID_CLIENT_ID: { mode: "live", form: /^\w{16,64}$/ },
      PLAID_SECRET: { mode: "live", form: /^\w{16,64}$/ },
      PLAID_TEST_SECRET: { mode: "test", form: /^\w{16,64}$/ },
    },
    // Access, public and link tokens: `access-sandbox-UUID`.
    credentials: [/(?:access|public|link)-(?:sandbox|production)-[\da-f-]+/g],
  },
  {
    name: "helius",
    displayName: "Helius",
    roles: ["key_verifier"],
    urls: {
      HELIUS_RPC_URL: "https://mainnet.helius-rpc.com",
      HELIUS_DEVNET_RPC_URL: "https://devnet.helius-rpc.com",
    },
  },
  {
    // A database provider that fails on request.
    name: "acme-db",
    displayName: "Acme DB",
    roles: ["service_provider"],
    isFictional: true,
    // This host does not exist: names below `invalid` never resolve (RFC 6761, section 6.4).
    urls: { ACME_DB_API_URL: "https://acme-db.invalid" },
  },
] as const satisfies readonly Vendor[];

/** `VENDORS` with a general type, for code that handles every vendor in the same way. */
export const vendors: readonly Vendor[] = VENDORS;

type Facts = (typeof VENDORS)[number];
type FactsWith<Field extends keyof Vendor> = Extract<Facts, Readonly<Record<Field, unknown>>>;
type KeyOfEach<Value> = Value extends unknown ? keyof Value : never;
type NameWith<Value extends Facts, Role> = Value extends Facts
  ? Role extends Value["roles"][number]
    ? Value["name"]
    : never
  : never;

export type VendorName = Facts["name"];
export type VendorNameOf<Role extends VendorRole> = NameWith<Facts, Role>;
export type RoleOf<Name extends VendorName> = Extract<Facts, { readonly name: Name }>["roles"][number];

/** Names of the environment variables for vendor URLs. */
export type VendorUrlName = KeyOfEach<Facts["urls"]>;
export type SecretKeyName = KeyOfEach<FactsWith<"secretKeys">["secretKeys"]>;
export type OptionalKeyName = KeyOfEach<FactsWith<"optionalKeys">["optionalKeys"]>;
export type WebhookSecretName = KeyOfEach<FactsWith<"webhookSecrets">["webhookSecrets"]>;
export type PollName = KeyOfEach<FactsWith<"pollMs">["pollMs"]>;
export type SandboxTokenName = FactsWith<"sandboxToken">["sandboxToken"];
/** Prefixes of the variables for OAuth apps: `GITHUB` for `GITHUB_CLIENT_ID`. */
export type AppPrefix = FactsWith<"app">["app"];

/** Returns the names of the vendors with a role, in the order of `VENDORS`. */
export function vendorNamesOf<Role extends VendorRole>(role: Role): readonly VendorNameOf<Role>[] {
  const names = vendors.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
  return names as VendorNameOf<Role>[];
}

export function displayNameOf(vendorName: VendorName): string {
  return vendors.find(({ name }) => name === vendorName)?.displayName ?? vendorName;
}

/** Returns true if the vendor is available in the profile. */
export function hasVendor(profile: Profile, name: string): boolean {
  return vendors.some((vendor) => vendor.name === name && (profile !== "production" || !vendor.isFictional));
}
