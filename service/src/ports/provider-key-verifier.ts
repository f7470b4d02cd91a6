import type { KeyedProvider, Mode } from "../foundation/vocabulary.ts";

/** Values of a set of provider keys, by field. A list where the field is one (`chains`). */
export type ProviderCredentials = Readonly<Record<string, string | readonly string[]>>;

/**
 * What the vendor says of credentials. `failed`: it refused them, or they are of no form that could be sent.
 * `unreachable`: it could not be asked. The detail is a sentence for the developer, and repeats nothing of the credentials.
 */
export interface KeyVerdict {
  readonly status: "verified" | "failed" | "unreachable";
  readonly detail: string | null;
}

/** Shows whether a developer's own credentials at a vendor work, by one cheap call that changes nothing there. Never throws. */
export interface ProviderKeyVerifier {
  readonly provider: KeyedProvider;
  verify(credentials: ProviderCredentials, mode: Mode): Promise<KeyVerdict>;
  /**
   * Whether an address that a developer gives instead of the vendor's own (`base_url`, `rpc_url`) is one of the vendor's:
   * https on 443 at a host of its, without user, query or fragment. Nothing is looked up or called for that.
   */
  isOwnAddress(url: string): boolean;
}
