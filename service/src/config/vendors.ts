import { recordOf } from "../foundation/record-of.ts";
import {
  type AppPrefix,
  type OptionalKeyName,
  type PollName,
  type SandboxTokenName,
  type SecretKeyName,
  type Vendor,
  type VendorUrlName,
  vendors,
  type WebhookSecretName,
} from "../foundation/vendors.ts";
import { isPlainUrl, isSameUrl } from "./limits.ts";
import type { Reader } from "./reader.ts";

/** An OAuth app that the operator has registered with a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The vendors' URLs and the operator's credentials, by environment variable. */
export type VendorsConfig = Readonly<ReturnType<typeof readVendors>>;

const PRODUCTION_URLS = valuesByName<VendorUrlName, string>(({ urls }) => urls);
/** URL variables of vendors that do not exist in production. */
const NON_PRODUCTION_URLS = new Set(
  vendors.filter(({ isFictional }) => isFictional).flatMap(({ urls }) => Object.keys(urls)),
);
const POLL_MS = valuesByName<PollName, number>(({ pollMs = {} }) => pollMs);
const SECRET_KEYS = valuesByName<SecretKeyName, unknown>(({ secretKeys = {} }) => secretKeys);
const OPTIONAL_KEYS = valuesByName<OptionalKeyName, unknown>(({ optionalKeys = {} }) => optionalKeys);
const WEBHOOK_SECRETS = valuesByName<WebhookSecretName, unknown>(({ webhookSecrets = {} }) => webhookSecrets);
const URL_NAMES = namesOf(PRODUCTION_URLS);
const APP_PREFIXES = vendors.flatMap(({ app = [] }) => app) as AppPrefix[];
const SANDBOX_TOKENS = vendors.flatMap(({ sandboxToken = [] }) => sandboxToken);

export function readVendors(read: Reader) {
  return {
    /** Without a trailing slash. */
    urls: recordOf(URL_NAMES, (name) => read.text(name, PRODUCTION_URLS[name]).replace(/\/+$/, "")),
    /**
     * Null if no OAuth app is configured. A login vendor's logins are then unavailable, and a service provider's accounts
     * are linked with a pasted token.
     */
    apps: recordOf(APP_PREFIXES, (prefix) => readApp(read, prefix)),
    pollMs: recordOf(namesOf(POLL_MS), (name) => read.whole(name, POLL_MS[name])),
    secretKeys: recordOf(namesOf(SECRET_KEYS), read.secret),
    /** Null if it is not set. What needs it is then not available. */
    optionalKeys: recordOf(namesOf(OPTIONAL_KEYS), read.optionalSecret),
    /** Null if the vendor's webhooks are not configured. They are then rejected. */
    webhookSecrets: recordOf(namesOf(WEBHOOK_SECRETS), read.optionalSecret),
    /** Shown on the page where users paste a provider's token. Null in production. */
    sandboxTokens: recordOf(SANDBOX_TOKENS as SandboxTokenName[], read.optionalSecret),
  };
}

function readApp(read: Reader, prefix: AppPrefix): OAuthApp | null {
  const clientId = read.optionalSecret(`${prefix}_CLIENT_ID`) ?? "";
  const clientSecret = read.optionalSecret(`${prefix}_CLIENT_SECRET`) ?? "";
  return clientId === "" && clientSecret === "" ? null : { clientId, clientSecret };
}

/** Returns the same URL for every vendor, for processes that call no vendor. */
export function everyVendorAt(url: string): Readonly<Record<VendorUrlName, string>> {
  return recordOf(URL_NAMES, () => url);
}

/** Returns a message for each invalid vendor variable. These rules apply in every profile. */
export function checkVendors(config: VendorsConfig): string[] {
  const { urls, apps } = config;
  const problems = URL_NAMES.filter((name) => !isPlainUrl(urls[name])).map(
    (name) => `${name} is not a plain http: or https: URL, without user, query or "#".`,
  );
  if (isPlainUrl(urls.STRIPE_API_URL) && new URL(urls.STRIPE_API_URL).pathname !== "/") {
    problems.push("STRIPE_API_URL has a path. Remove it: Stripe's SDK adds the path.");
  }
  const { PLAID_CLIENT_ID, PLAID_SECRET, PLAID_TEST_SECRET } = config.optionalKeys;
  if ((PLAID_CLIENT_ID === null) !== (PLAID_SECRET === null && PLAID_TEST_SECRET === null)) {
    problems.push("PLAID_CLIENT_ID and a secret of Plaid are set only together. Set both or neither.");
  }
  const { TURNKEY_ORGANIZATION_ID, TURNKEY_API_PRIVATE_KEY } = config.optionalKeys;
  if ((TURNKEY_ORGANIZATION_ID === null) !== (TURNKEY_API_PRIVATE_KEY === null)) {
    problems.push("TURNKEY_ORGANIZATION_ID and TURNKEY_API_PRIVATE_KEY are set only together. Set both or neither.");
  }
  const halfApps = APP_PREFIXES.filter((prefix) => {
    const app = apps[prefix];
    return app !== null && (app.clientId === "" || app.clientSecret === "");
  }).map((prefix) => `Only one of ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET is set. Set both or neither.`);
  return [...problems, ...halfApps, ...vendors.flatMap((vendor) => checkSecretKeys(vendor, config))];
}

function checkSecretKeys(
  { displayName, secretKeys = {}, optionalKeys = {}, webhookSecrets = {} }: Vendor,
  config: VendorsConfig,
): string[] {
  const given: Readonly<Record<string, string | null>> = { ...config.secretKeys, ...config.optionalKeys };
  const signing: Readonly<Record<string, string | null>> = config.webhookSecrets;
  return [
    ...Object.entries({ ...secretKeys, ...optionalKeys })
      .filter(([name, { form }]) => given[name] !== "" && given[name] !== null && !form.test(given[name] ?? ""))
      .map(([name, { mode }]) => `${name} is not a ${displayName} key for ${mode} mode.`),
    ...Object.entries(webhookSecrets)
      .filter(([name, { form }]) => signing[name] !== null && !form.test(signing[name] ?? ""))
      .map(
        ([name]) => `${name} is not a ${displayName} webhook ${/PUBLIC_KEY$/.test(name) ? "public key" : "secret"}.`,
      ),
  ];
}

/**
 * Returns a message for each vendor variable that production does not allow. Each URL must be the vendor's production
 * URL, because no list of forbidden URLs could be complete.
 */
export function checkRealVendors(config: VendorsConfig): string[] {
  const { urls, apps, sandboxTokens } = config;
  const credentials: readonly (readonly [string, string | null | undefined])[] = [
    ...APP_PREFIXES.flatMap((prefix) => [
      [`${prefix}_CLIENT_ID`, apps[prefix]?.clientId] as const,
      [`${prefix}_CLIENT_SECRET`, apps[prefix]?.clientSecret] as const,
    ]),
    ...Object.entries(config.secretKeys),
    ...Object.entries(config.optionalKeys),
    ...Object.entries(config.webhookSecrets),
  ];
  return [
    ...URL_NAMES.filter((name) => isPlainUrl(urls[name]) && !isSameUrl(urls[name], PRODUCTION_URLS[name])).map(
      (name) =>
        NON_PRODUCTION_URLS.has(name)
          ? `${name} is allowed only in the local profile.`
          : `${name} is not ${PRODUCTION_URLS[name]}. Production accepts no other URL.`,
    ),
    ...credentials
      .filter(([, value]) => /sandbox/i.test(value ?? ""))
      .map(([name]) => `${name} is a sandbox credential. Set the vendor's production credential.`),
    ...Object.entries(sandboxTokens)
      .filter(([, token]) => token !== null)
      .map(([name]) => `${name} is allowed only in the local profile.`),
  ];
}

function valuesByName<Name extends string, Value>(
  valuesOf: (vendor: Vendor) => Readonly<Record<string, Value>>,
): Readonly<Record<Name, Value>> {
  return Object.assign({}, ...vendors.map(valuesOf));
}

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(record) as Name[];
}
