import { NO_RETRY } from "../../foundation/retry.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { createVendorClient, type VendorClient } from "../http-client/vendor-client.ts";

const TIMEOUT_MS = 5_000;

export interface KeyVerifierOptions {
  /** The API URL for each mode: scheme and host, no trailing slash. */
  readonly apiUrl: Readonly<Record<Mode, string>>;
  /** Timeout for one check in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
}

export const VERIFIED: KeyCheckResult = { status: "verified", detail: null };

export function failed(detail: string): KeyCheckResult {
  return { status: "failed", detail };
}

/** Creates a client that does not retry calls, because a user waits for the result. */
export function createKeyCheckClient(
  vendor: string,
  baseUrl: string,
  { timeoutMs = TIMEOUT_MS }: KeyVerifierOptions,
): VendorClient {
  return createVendorClient({ vendor, baseUrl, timeoutMs, readRetry: NO_RETRY });
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

/** Returns all strings in the credentials, to be redacted from error messages. */
export function secretsOf(credentials: ProviderCredentials): readonly string[] {
  return Object.values(credentials).flat();
}
