import type { Profile } from "../profile.ts";
import type { Mode } from "../vocabulary.ts";

/** What the service uses a vendor for. */
export type VendorKind =
  | "service_provider"
  | "billing_processor"
  | "identity_provider"
  | "captcha"
  | "key_verifier";

/** What is known of a vendor before anything is configured. */
export interface Vendor {
  /** Its name in the catalog, in the sandbox and in errors: lower-case words with hyphens. */
  readonly name: string;
  /** Its name for people. */
  readonly displayName: string;
  readonly kind: VendorKind;
  /** The profiles in which it exists. In any other it is not offered, and its variables are refused. */
  readonly profiles: readonly Profile[];
  /** The vendor's own addresses by the variables that replace them, without a slash at the end. */
  readonly urls: Readonly<Record<string, string>>;
  /** What the two variables of an app registered there begin with: `GITHUB` for `GITHUB_CLIENT_ID` and `…_SECRET`. */
  readonly app?: string;
  /** The secret key of each mode, by its variable, and the form of such a key. */
  readonly secretKeys?: Readonly<Record<string, { readonly mode: Mode; readonly form: RegExp }>>;
  /** The time between two looks at what comes up there, by its variable: the default in milliseconds. */
  readonly pollMs?: Readonly<Record<string, number>>;
  /** The variable of a token that the sandbox takes. For the local profile only. */
  readonly sandboxToken?: string;
  /** Credentials of the vendor's making, as they may turn up in any text. With the flag `g`. */
  readonly credentials?: readonly RegExp[];
}
