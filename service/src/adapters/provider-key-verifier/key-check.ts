import { NO_RETRY } from "../../foundation/retry.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyVerdict, ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { createVendorClient, type VendorClient } from "../http-client/vendor-client.ts";

const TIMEOUT_MS = 5_000;

export interface KeyVerifierOptions {
  /** Where the keys of a mode are tried: scheme and host, no trailing slash. */
  readonly apiUrl: Readonly<Record<Mode, string>>;
  /** Of one check. 5,000 where absent. */
  readonly timeoutMs?: number;
}

export const VERIFIED: KeyVerdict = { status: "verified", detail: null };

export function failed(detail: string): KeyVerdict {
  return { status: "failed", detail };
}

/** Asks once: keys are saved while somebody waits, and what was signed for one request is no good for another. */
export function createKeyCheckClient(
  vendor: string,
  baseUrl: string,
  { timeoutMs = TIMEOUT_MS }: KeyVerifierOptions,
): VendorClient {
  return createVendorClient({ vendor, baseUrl, timeoutMs, readRetry: NO_RETRY });
}

/**
 * The verdict that a check comes to, or what it means that the vendor did not let it. What the vendor says is not repeated:
 * there are those that quote the keys they were sent.
 */
export async function verdictOf(
  vendorName: string,
  check: () => Promise<KeyVerdict>,
): Promise<KeyVerdict> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const { status, says } = MEANINGS[error.failure];
    return { status, detail: `${vendorName} ${says}.` };
  }
}

const MEANINGS: Readonly<
  Record<VendorFailure, { readonly status: KeyVerdict["status"]; readonly says: string }>
> = {
  unauthorized: { status: "failed", says: "refused these keys" },
  refused: { status: "failed", says: "refused what these keys were tried with" },
  not_found: { status: "failed", says: "does not know what these keys name" },
  rate_limited: { status: "unreachable", says: "takes no more requests for now" },
  unavailable: { status: "unreachable", says: "could not be asked" },
  unknown: { status: "unreachable", says: "could not be asked" },
};

/** A field's text; undefined where it is absent, empty or a list. */
export function textOf(credentials: ProviderCredentials, field: string): string | undefined {
  const value = Object.hasOwn(credentials, field) ? credentials[field] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Every text in the credentials, for whatever may be logged to be without. */
export function secretsOf(credentials: ProviderCredentials): readonly string[] {
  return Object.values(credentials).flat();
}
