import type { Profile } from "../profile.ts";
import type { Mode } from "../vocabulary.ts";

/** What Purser uses the vendor for. */
export type VendorKind =
  | "service_provider"
  | "billing_processor"
  | "identity_provider"
  | "captcha"
  | "key_verifier";

/** The static facts about a vendor. */
export interface Vendor {
  /** The name in the catalog, in the sandbox and in errors: lower-case words with hyphens. */
  readonly name: string;
  /** The name for people. */
  readonly displayName: string;
  readonly kind: VendorKind;
  /** The profiles that have the vendor. In other profiles it is not offered, and its variables are refused. */
  readonly profiles: readonly Profile[];
  /** The vendor's URLs, by the variables that override them, without a slash at the end. */
  readonly urls: Readonly<Record<string, string>>;
  /** The prefix of the two variables of an OAuth app: `GITHUB` for `GITHUB_CLIENT_ID` and `GITHUB_CLIENT_SECRET`. */
  readonly app?: string;
  /** The secret keys, by variable: the mode and the form of each. */
  readonly secretKeys?: Readonly<Record<string, { readonly mode: Mode; readonly form: RegExp }>>;
  /** Default intervals for polling a new resource, in milliseconds, by the environment variable that overrides each. */
  readonly pollMs?: Readonly<Record<string, number>>;
  /** The variable of a token that the sandbox accepts. Only for the local profile. */
  readonly sandboxToken?: string;
  /** Patterns of the vendor's credentials, for redaction. With the flag `g`. */
  readonly credentials?: readonly RegExp[];
}
