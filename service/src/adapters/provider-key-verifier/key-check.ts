import { type Clock, systemClock } from "../../foundation/clock.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { createVendorClient, type VendorClient } from "../http-client/vendor-client.ts";

const TIMEOUT_MS = 5_000;

export interface KeyVerifierOptions {
  /** The API URL for each mode: scheme and host, no trailing slash. */
  readonly apiUrl: Readonly<Record<Mode, string>>;
  /** Timeout for one check in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

/** One check of a developer's credentials. */
export interface KeyCheck {
  /** Does not retry calls, because a user waits for the result. */
  readonly client: VendorClient;
  readonly baseUrl: string;
  /** The value of the field `required`. */
  readonly required: string;
  readonly credentials: ProviderCredentials;
  readonly mode: Mode;
  /** All strings in the credentials, to be redacted from error messages. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
}

interface VendorOfKeys {
  readonly provider: KeyedProvider;
  /** The vendor's name in sentences. */
  readonly name: string;
  /** The URLs that a developer can set, in addition to the configured ones. */
  readonly apiUrls: readonly string[];
  /** A path such as `/v1` that a custom URL can include. */
  readonly prefix?: `/${string}`;
  /** The credential that contains a custom URL. Undefined if there is none. */
  readonly urlField?: "base_url" | "rpc_url";
  /** The credential without which there is nothing to check. */
  readonly required: string;
  readonly check: (check: KeyCheck) => Promise<KeyCheckResult>;
}

export function createKeyVerifier(
  { provider, name, apiUrls, prefix, urlField, required: requiredField, check }: VendorOfKeys,
  { apiUrl, timeoutMs = TIMEOUT_MS, clock = systemClock }: KeyVerifierOptions,
): ProviderKeyVerifier {
  const allowedUrls = allowedVendorUrls([...apiUrls, apiUrl.live, apiUrl.test], prefix);
  return {
    provider,
    verify: async (credentials, mode) => {
      const customUrl = urlField && credentials[urlField];
      const baseUrl =
        customUrl === undefined ? apiUrl[mode] : allowedUrls.get(typeof customUrl === "string" ? customUrl : "");
      if (baseUrl === undefined) return failed(`${urlField} is not a ${name} URL.`);
      const required = textOf(credentials, requiredField);
      if (required === undefined) return failed(`${requiredField} is missing.`);
      const client = createVendorClient({ vendor: provider, baseUrl, timeoutMs, readRetry: NO_RETRY });
      const secrets = Object.values(credentials).flat();
      return keyCheckResultOf(name, () => check({ client, baseUrl, required, credentials, mode, secrets, clock }));
    },
    isVendorUrl: (url) => allowedUrls.has(url),
  };
}

/**
 * Returns the custom URLs that a developer can set, each mapped to the base URL that is called. Custom URLs are
 * compared as text and not parsed, because two parsers can interpret the same URL differently.
 */
function allowedVendorUrls(urls: readonly string[], prefix = ""): ReadonlyMap<string, string> {
  const endings = new Set(["", "/", prefix, `${prefix}/`]);
  return new Map(urls.flatMap((url) => [...endings].map((ending) => [url + ending, url] as const)));
}

export const VERIFIED: KeyCheckResult = { status: "verified", detail: null };

export function failed(detail: string): KeyCheckResult {
  return { status: "failed", detail };
}

/**
 * Runs a check and converts a `VendorError` to a result. The vendor's message is not included, because it can contain
 * the keys.
 */
export async function keyCheckResultOf(
  vendorName: string,
  check: () => Promise<KeyCheckResult>,
): Promise<KeyCheckResult> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const { status, statement } = MEANINGS[error.failure];
    return { status, detail: `${vendorName} ${statement}.` };
  }
}

const MEANINGS: Readonly<
  Record<VendorFailure, { readonly status: KeyCheckResult["status"]; readonly statement: string }>
> = {
  unauthorized: { status: "failed", statement: "rejected these keys" },
  refused: { status: "failed", statement: "rejected the test call with these keys" },
  not_found: {
    status: "failed",
    statement: "could not find the account or organization in these keys",
  },
  rate_limited: {
    status: "unreachable",
    statement: "is limiting the rate of calls; try again later",
  },
  unavailable: { status: "unreachable", statement: "did not return a usable response" },
  unknown: { status: "unreachable", statement: "did not return a usable response" },
};

/** Returns a field's text, or undefined if the field is missing, empty or a list. */
export function textOf(credentials: ProviderCredentials, field: string): string | undefined {
  const value = Object.hasOwn(credentials, field) ? credentials[field] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
