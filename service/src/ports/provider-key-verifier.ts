import type { KeyedProvider, Mode } from "../foundation/vocabulary.ts";

/** A developer's credentials at a provider, by field name. Every field is a string except `chains`, which is a list. */
export type ProviderCredentials = Readonly<Record<string, string | readonly string[]>>;

/**
 * The result of checking credentials with the vendor. `failed` means that the vendor rejected them or their format is
 * invalid, `unreachable` that the vendor gave no usable response. `detail` is a sentence for the developer and contains
 * no part of the credentials.
 */
export interface KeyCheckResult {
  readonly status: "verified" | "failed" | "unreachable";
  readonly detail: string | null;
}

/**
 * Checks whether a developer's own credentials for a vendor work, with cheap read-only calls. Vendor errors are
 * returned as part of the result, not thrown.
 */
export interface ProviderKeyVerifier {
  readonly provider: KeyedProvider;
  verify(credentials: ProviderCredentials, mode: Mode): Promise<KeyCheckResult>;
  /**
   * Returns true if a custom URL (`base_url` or `rpc_url`) is on Purser's allowlist for the vendor. Makes no DNS lookup
   * and no call.
   */
  isVendorUrl(url: string): boolean;
}
