import type { KeyedProvider, Mode } from "../foundation/vocabulary.ts";

/** A set of provider keys, by field name. `chains` is a list. */
export type ProviderCredentials = Readonly<Record<string, string | readonly string[]>>;

/**
 * The result of checking credentials at the vendor. `failed`: the vendor refused them, or their form is invalid.
 * `unreachable`: the vendor did not answer. `detail` is a sentence for the developer and contains no part of the
 * credentials.
 */
export interface KeyCheckResult {
  readonly status: "verified" | "failed" | "unreachable";
  readonly detail: string | null;
}

/**
 * Checks whether a developer's own credentials at a vendor work, with one cheap call that changes nothing. Never
 * throws.
 */
export interface ProviderKeyVerifier {
  readonly provider: KeyedProvider;
  verify(credentials: ProviderCredentials, mode: Mode): Promise<KeyCheckResult>;
  /**
   * Whether a custom URL (`base_url`, `rpc_url`) belongs to the vendor: https on port 443 at one of the vendor's hosts,
   * without user, query or fragment. Makes no DNS lookup and no call.
   */
  isVendorUrl(url: string): boolean;
}
