import { MODES, type Mode } from "../foundation/vocabulary.ts";
import { isPlainUrl, isSameUrl } from "./forms.ts";
import type { Reader } from "./reader.ts";

/** A project takes minutes to come up, and Supabase counts an organization's requests. */
const SUPABASE_POLL_MS = 5_000;

/** Of what reaches the vendors themselves. Production takes no other address. */
const VENDOR_URLS = {
  NEON_API_URL: "https://console.neon.tech/api/v2",
  SUPABASE_API_URL: "https://api.supabase.com",
  STRIPE_API_URL: "https://api.stripe.com",
  GITHUB_URL: "https://github.com",
  GITHUB_API_URL: "https://api.github.com",
  GOOGLE_ACCOUNTS_URL: "https://accounts.google.com",
  GOOGLE_TOKEN_URL: "https://oauth2.googleapis.com/token",
  GOOGLE_CERTS_URL: "https://www.googleapis.com/oauth2/v3/certs",
  TURNSTILE_API_URL: "https://challenges.cloudflare.com",
  HCAPTCHA_API_URL: "https://api.hcaptcha.com",
  PIMLICO_API_URL: "https://api.pimlico.io",
  TURNKEY_API_URL: "https://api.turnkey.com",
  FIREBLOCKS_API_URL: "https://api.fireblocks.io",
  FIREBLOCKS_SANDBOX_API_URL: "https://sandbox-api.fireblocks.io",
  BRIDGE_API_URL: "https://api.bridge.xyz",
  BRIDGE_SANDBOX_API_URL: "https://api.sandbox.bridge.xyz",
  HELIUS_RPC_URL: "https://mainnet.helius-rpc.com",
  HELIUS_DEVNET_RPC_URL: "https://devnet.helius-rpc.com",
} as const;
type VendorUrlName = keyof typeof VENDOR_URLS;

const VENDOR_URL_NAMES = Object.keys(VENDOR_URLS) as VendorUrlName[];

const STRIPE_KEY_NAMES: Readonly<Record<Mode, string>> = {
  live: "STRIPE_SECRET_KEY",
  test: "STRIPE_TEST_SECRET_KEY",
};

/** An app that the operator has registered at a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Where vendors are reached, and as whom. Addresses have no slash at their end. */
export interface VendorsConfig {
  readonly neon: {
    readonly apiUrl: string;
    /** Of the local profile: shown where people paste a token. */
    readonly sandboxToken?: string;
  };
  readonly supabase: {
    readonly apiUrl: string;
    /** Null: accounts are linked by a pasted token. */
    readonly app: OAuthApp | null;
    /** How long to wait before a project that comes up is looked at again. */
    readonly pollAfterMs: number;
  };
  readonly stripe: {
    readonly apiUrl: string;
    /** A mode's own: test objects are made in Stripe's test mode. */
    readonly secretKeys: Readonly<Record<Mode, string>>;
  };
  /** Whose app is null, there nobody can sign in by it. */
  readonly github: {
    readonly webUrl: string;
    readonly apiUrl: string;
    readonly app: OAuthApp | null;
  };
  readonly google: {
    readonly accountsUrl: string;
    readonly tokenUrl: string;
    readonly certsUrl: string;
    readonly app: OAuthApp | null;
  };
  readonly captcha: { readonly turnstileUrl: string; readonly hcaptchaUrl: string };
  /** Where the keys that developers keep here are tried. */
  readonly keys: {
    readonly pimlico: Readonly<Record<Mode, string>>;
    readonly turnkey: Readonly<Record<Mode, string>>;
    readonly fireblocks: Readonly<Record<Mode, string>>;
    readonly bridge: Readonly<Record<Mode, string>>;
    readonly helius: Readonly<Record<Mode, string>>;
  };
}

export function readVendors(read: Reader): VendorsConfig {
  const sandboxToken = read.optionalSecret("NEON_SANDBOX_TOKEN");
  const url = (name: VendorUrlName) => read.text(name, VENDOR_URLS[name]).replace(/\/+$/, "");
  const both = (live: VendorUrlName, test = live) => ({ live: url(live), test: url(test) });
  return {
    neon: { apiUrl: url("NEON_API_URL"), ...(sandboxToken === null ? {} : { sandboxToken }) },
    supabase: {
      apiUrl: url("SUPABASE_API_URL"),
      app: readApp(read, "SUPABASE"),
      pollAfterMs: read.whole("SUPABASE_POLL_MS", SUPABASE_POLL_MS),
    },
    stripe: {
      apiUrl: url("STRIPE_API_URL"),
      secretKeys: {
        live: read.secret(STRIPE_KEY_NAMES.live),
        test: read.secret(STRIPE_KEY_NAMES.test),
      },
    },
    github: {
      webUrl: url("GITHUB_URL"),
      apiUrl: url("GITHUB_API_URL"),
      app: readApp(read, "GITHUB"),
    },
    google: {
      accountsUrl: url("GOOGLE_ACCOUNTS_URL"),
      tokenUrl: url("GOOGLE_TOKEN_URL"),
      certsUrl: url("GOOGLE_CERTS_URL"),
      app: readApp(read, "GOOGLE"),
    },
    captcha: { turnstileUrl: url("TURNSTILE_API_URL"), hcaptchaUrl: url("HCAPTCHA_API_URL") },
    keys: {
      pimlico: both("PIMLICO_API_URL"),
      turnkey: both("TURNKEY_API_URL"),
      fireblocks: both("FIREBLOCKS_API_URL", "FIREBLOCKS_SANDBOX_API_URL"),
      bridge: both("BRIDGE_API_URL", "BRIDGE_SANDBOX_API_URL"),
      helius: both("HELIUS_RPC_URL", "HELIUS_DEVNET_RPC_URL"),
    },
  };
}

/** The environment of a service that finds every vendor at one address: where none is called, and nobody listens. */
export function everyVendorAt(url: string): Readonly<Record<VendorUrlName, string>> {
  const entries = VENDOR_URL_NAMES.map((name) => [name, url]);
  return Object.fromEntries(entries);
}

function readApp(read: Reader, vendor: "SUPABASE" | "GITHUB" | "GOOGLE"): OAuthApp | null {
  const clientId = read.optionalSecret(`${vendor}_CLIENT_ID`) ?? "";
  const clientSecret = read.optionalSecret(`${vendor}_CLIENT_SECRET`) ?? "";
  return clientId === "" && clientSecret === "" ? null : { clientId, clientSecret };
}

export function checkVendors(vendors: VendorsConfig): string[] {
  const problems = VENDOR_URL_NAMES.filter((name) => !isPlainUrl(addressesOf(vendors)[name])).map(
    (name) => `${name} is not a plain http: or https: address, without user, query or "#".`,
  );
  if (isPlainUrl(vendors.stripe.apiUrl) && new URL(vendors.stripe.apiUrl).pathname !== "/") {
    problems.push("STRIPE_API_URL has a path. Stripe's SDK has its own.");
  }
  return [...problems, ...checkApps(vendors), ...checkStripeKeys(vendors)];
}

function checkApps(vendors: VendorsConfig): string[] {
  return appsOf(vendors)
    .filter(([, app]) => app !== null && (app.clientId === "" || app.clientSecret === ""))
    .map(
      ([vendor]) =>
        `${vendor}_CLIENT_ID and ${vendor}_CLIENT_SECRET are one app's: set both or none.`,
    );
}

function checkStripeKeys({ stripe }: VendorsConfig): string[] {
  return MODES.filter((mode) => {
    const key = stripe.secretKeys[mode];
    // Restricted keys, which Stripe recommends, begin with "rk".
    return key !== "" && !new RegExp(`^[rs]k_${mode}_\\w+$`).test(key);
  }).map((mode) => `${STRIPE_KEY_NAMES[mode]} is not a key of Stripe's ${mode} mode.`);
}

/** What a production profile refuses. A list of what is real, rather than one of what is not: that would be without end. */
export function checkRealVendors(vendors: VendorsConfig): string[] {
  const addresses = addressesOf(vendors);
  const credentials: readonly (readonly [string, string | undefined])[] = [
    ...appsOf(vendors).flatMap(([vendor, app]) => [
      [`${vendor}_CLIENT_ID`, app?.clientId] as const,
      [`${vendor}_CLIENT_SECRET`, app?.clientSecret] as const,
    ]),
    ...MODES.map((mode) => [STRIPE_KEY_NAMES[mode], vendors.stripe.secretKeys[mode]] as const),
  ];
  return [
    ...VENDOR_URL_NAMES.filter(
      (name) => isPlainUrl(addresses[name]) && !isSameUrl(addresses[name], VENDOR_URLS[name]),
    ).map((name) => `${name} is not ${VENDOR_URLS[name]}. Production knows no other.`),
    ...credentials
      .filter(([, value]) => /sandbox/i.test(value ?? ""))
      .map(([name]) => `${name} is one of the sandbox's. Set the vendor's own.`),
    ...(vendors.neon.sandboxToken === undefined
      ? []
      : ["NEON_SANDBOX_TOKEN is for the local profile."]),
  ];
}

/** The vendors' addresses, by the names of their variables. */
function addressesOf(vendors: VendorsConfig): Readonly<Record<VendorUrlName, string>> {
  const { neon, supabase, stripe, github, google, captcha, keys } = vendors;
  return {
    NEON_API_URL: neon.apiUrl,
    SUPABASE_API_URL: supabase.apiUrl,
    STRIPE_API_URL: stripe.apiUrl,
    GITHUB_URL: github.webUrl,
    GITHUB_API_URL: github.apiUrl,
    GOOGLE_ACCOUNTS_URL: google.accountsUrl,
    GOOGLE_TOKEN_URL: google.tokenUrl,
    GOOGLE_CERTS_URL: google.certsUrl,
    TURNSTILE_API_URL: captcha.turnstileUrl,
    HCAPTCHA_API_URL: captcha.hcaptchaUrl,
    PIMLICO_API_URL: keys.pimlico.live,
    TURNKEY_API_URL: keys.turnkey.live,
    FIREBLOCKS_API_URL: keys.fireblocks.live,
    FIREBLOCKS_SANDBOX_API_URL: keys.fireblocks.test,
    BRIDGE_API_URL: keys.bridge.live,
    BRIDGE_SANDBOX_API_URL: keys.bridge.test,
    HELIUS_RPC_URL: keys.helius.live,
    HELIUS_DEVNET_RPC_URL: keys.helius.test,
  };
}

function appsOf(vendors: VendorsConfig): (readonly [string, OAuthApp | null])[] {
  return [
    ["SUPABASE", vendors.supabase.app],
    ["GITHUB", vendors.github.app],
    ["GOOGLE", vendors.google.app],
  ];
}
