import type { VendorError, VendorFailure } from "../../../ports/vendor-error.ts";

/**
 * Why a link failed, in words of our own: what a provider's redirect says is mapped to one of them, and never repeated.
 *
 * - `access_denied`: whoever was asked said no.
 * - `exchange_failed`: the provider did not give tokens for the code, or did not say whose account they open.
 * - `token_refused`: no pasted token was good.
 * - `provider_refused`: the provider sent people back with another error.
 * - `provider_unavailable`: the provider could not be asked.
 * - `other_account`: services of the project live in another account of the provider.
 * - `project_not_active`: the project was deleted, or is no longer active.
 */
export const LINK_ERRORS = [
  "access_denied",
  "exchange_failed",
  "token_refused",
  "provider_refused",
  "provider_unavailable",
  "other_account",
  "project_not_active",
] as const;
export type LinkError = (typeof LINK_ERRORS)[number];

/** Codes of RFC 6749, 4.1.2.1. */
const REDIRECT_ERRORS: ReadonlyMap<string, LinkError> = new Map([
  ["access_denied", "access_denied"],
  ["server_error", "provider_unavailable"],
  ["temporarily_unavailable", "provider_unavailable"],
]);

/** The `error` of a provider's redirect. */
export function errorOfRedirect(error: string): LinkError {
  return REDIRECT_ERRORS.get(error) ?? "provider_refused";
}

const REFUSALS: ReadonlySet<VendorFailure> = new Set(["refused", "unauthorized", "not_found"]);

/** Whether the provider has said no, as opposed to not having said anything. */
export function isRefusal({ failure }: VendorError): boolean {
  return REFUSALS.has(failure);
}
