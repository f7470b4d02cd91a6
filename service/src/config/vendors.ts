import { recordOf } from "../foundation/record-of.ts";
import {
  type AppPrefix,
  type PollName,
  type SandboxTokenName,
  type SecretKeyName,
  type VendorUrlName,
  vendors,
} from "../foundation/vendors/index.ts";
import type { Vendor } from "../foundation/vendors/vendor.ts";
import { isPlainUrl, isSameUrl } from "./forms.ts";
import type { Reader } from "./reader.ts";

/** An app that the operator has registered at a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Where vendors are reached, and as whom, by the names of their variables. */
export interface VendorsConfig {
  /** Without a slash at the end. */
  readonly urls: Readonly<Record<VendorUrlName, string>>;
  /** Null: nobody can sign in by this vendor, or its accounts are linked by a pasted token. */
  readonly apps: Readonly<Record<AppPrefix, OAuthApp | null>>;
  readonly pollMs: Readonly<Record<PollName, number>>;
  readonly secretKeys: Readonly<Record<SecretKeyName, string>>;
  /** Shown where people paste a token. Null outside the local profile. */
  readonly sandboxTokens: Readonly<Record<SandboxTokenName, string | null>>;
}

const REAL_URLS = valuesByName<VendorUrlName, string>(({ urls }) => urls);
/** Those of the vendors that production does not have. */
const ABSENT_URLS = new Set(
  vendors
    .filter(({ profiles }) => !profiles.includes("production"))
    .flatMap(({ urls }) => Object.keys(urls)),
);
const POLL_MS = valuesByName<PollName, number>(({ pollMs = {} }) => pollMs);
const SECRET_KEYS = valuesByName<SecretKeyName, unknown>(({ secretKeys = {} }) => secretKeys);
const URL_NAMES = namesOf(REAL_URLS);
const APP_PREFIXES = vendors.flatMap(({ app = [] }) => app) as AppPrefix[];
const SANDBOX_TOKENS = vendors.flatMap(({ sandboxToken = [] }) => sandboxToken);

/** Reads the variables of every vendor. */
export function readVendors(read: Reader): VendorsConfig {
  return {
    urls: recordOf(URL_NAMES, (name) => read.text(name, REAL_URLS[name]).replace(/\/+$/, "")),
    apps: recordOf(APP_PREFIXES, (prefix) => readApp(read, prefix)),
    pollMs: recordOf(namesOf(POLL_MS), (name) => read.whole(name, POLL_MS[name])),
    secretKeys: recordOf(namesOf(SECRET_KEYS), read.secret),
    sandboxTokens: recordOf(SANDBOX_TOKENS as SandboxTokenName[], read.optionalSecret),
  };
}

function readApp(read: Reader, prefix: AppPrefix): OAuthApp | null {
  const clientId = read.optionalSecret(`${prefix}_CLIENT_ID`) ?? "";
  const clientSecret = read.optionalSecret(`${prefix}_CLIENT_SECRET`) ?? "";
  return clientId === "" && clientSecret === "" ? null : { clientId, clientSecret };
}

/** The environment of a service that finds every vendor at one address: where none is called, and nobody listens. */
export function everyVendorAt(url: string): Readonly<Record<VendorUrlName, string>> {
  return recordOf(URL_NAMES, () => url);
}

/** What is wrong with the vendors' variables in any profile, one sentence each. */
export function checkVendors(config: VendorsConfig): string[] {
  const { urls, apps } = config;
  const problems = URL_NAMES.filter((name) => !isPlainUrl(urls[name])).map(
    (name) => `${name} is not a plain http: or https: address, without user, query or "#".`,
  );
  if (isPlainUrl(urls.STRIPE_API_URL) && new URL(urls.STRIPE_API_URL).pathname !== "/") {
    problems.push("STRIPE_API_URL has a path. Stripe's SDK has its own.");
  }
  const halfApps = APP_PREFIXES.filter((prefix) => {
    const app = apps[prefix];
    return app !== null && (app.clientId === "" || app.clientSecret === "");
  }).map(
    (prefix) => `${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET are one app's: set both or none.`,
  );
  return [
    ...problems,
    ...halfApps,
    ...vendors.flatMap((vendor) => checkSecretKeys(vendor, config)),
  ];
}

function checkSecretKeys(
  { displayName, secretKeys = {} }: Vendor,
  config: VendorsConfig,
): string[] {
  const given: Readonly<Record<string, string>> = config.secretKeys;
  return Object.entries(secretKeys)
    .filter(([name, { form }]) => given[name] !== "" && !form.test(given[name] ?? ""))
    .map(([name, { mode }]) => `${name} is not a key of ${displayName}'s ${mode} mode.`);
}

/** What a production profile refuses. A list of what is real, rather than one of what is not: that would be without end. */
export function checkRealVendors({
  urls,
  apps,
  secretKeys,
  sandboxTokens,
}: VendorsConfig): string[] {
  const credentials: readonly (readonly [string, string | undefined])[] = [
    ...APP_PREFIXES.flatMap((prefix) => [
      [`${prefix}_CLIENT_ID`, apps[prefix]?.clientId] as const,
      [`${prefix}_CLIENT_SECRET`, apps[prefix]?.clientSecret] as const,
    ]),
    ...Object.entries(secretKeys),
  ];
  return [
    ...URL_NAMES.filter(
      (name) => isPlainUrl(urls[name]) && !isSameUrl(urls[name], REAL_URLS[name]),
    ).map((name) =>
      ABSENT_URLS.has(name)
        ? `${name} is for the local profile.`
        : `${name} is not ${REAL_URLS[name]}. Production knows no other.`,
    ),
    ...credentials
      .filter(([, value]) => /sandbox/i.test(value ?? ""))
      .map(([name]) => `${name} is one of the sandbox's. Set the vendor's own.`),
    ...Object.entries(sandboxTokens)
      .filter(([, token]) => token !== null)
      .map(([name]) => `${name} is for the local profile.`),
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
