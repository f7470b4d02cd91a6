import type { Profile } from "../profile.ts";
import type { Mode } from "../vocabulary.ts";

/** What Purser uses a vendor for. */
export type VendorKind = "service_provider" | "billing_processor" | "identity_provider" | "captcha" | "key_verifier";

export interface Vendor {
  /** The name in the catalog, in the sandbox and in errors: lowercase words with hyphens. */
  readonly name: string;
  /** The name as shown to users. */
  readonly displayName: string;
  readonly kind: VendorKind;
  /** The profiles in which the vendor is available. In other profiles, its environment variables are rejected. */
  readonly profiles: readonly Profile[];
  /** The vendor's URLs without a trailing slash, by the environment variable that overrides each. */
  readonly urls: Readonly<Record<string, string>>;
  /** The prefix of an OAuth app's two variables: `GITHUB` for `GITHUB_CLIENT_ID` and `GITHUB_CLIENT_SECRET`. */
  readonly app?: string;
  /** The mode and the format of each secret key, by environment variable. */
  readonly secretKeys?: Readonly<Record<string, { readonly mode: Mode; readonly form: RegExp }>>;
  /** The mode and the format of each secret that signs the vendor's webhooks, by environment variable. */
  readonly webhookSecrets?: Vendor["secretKeys"];
  /** Default intervals for polling a new resource, in milliseconds, by the environment variable that overrides each. */
  readonly pollMs?: Readonly<Record<string, number>>;
  /** The environment variable for a token that the sandbox accepts. Used only in the local profile. */
  readonly sandboxToken?: string;
  /** Patterns that match the vendor's credentials, for redaction. They must have the flag `g`. */
  readonly credentials?: readonly RegExp[];
}
