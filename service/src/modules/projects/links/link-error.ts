import type { LinkError } from "../../../foundation/vocabulary.ts";
import type { VendorError, VendorFailure } from "../../../ports/vendor-error.ts";

/** By the error codes of RFC 6749, section 4.1.2.1. */
const REDIRECT_ERRORS: ReadonlyMap<string, LinkError> = new Map([
  ["access_denied", "access_denied"],
  ["server_error", "provider_unavailable"],
  ["temporarily_unavailable", "provider_unavailable"],
]);

/** Returns the link's error for the `error` parameter of a provider's redirect. */
export function errorOfRedirect(error: string): LinkError {
  return REDIRECT_ERRORS.get(error) ?? "provider_refused";
}

const REFUSALS: ReadonlySet<VendorFailure> = new Set(["refused", "unauthorized", "not_found"]);

/** Whether the provider refused the call. Otherwise it did not answer. */
export function isRefusal({ failure }: VendorError): boolean {
  return REFUSALS.has(failure);
}

/**
 * Whether the provider refused the code or refresh token itself (RFC 6749, section 5.2), not the client's credentials.
 */
export function isInvalidGrant({ vendorCode }: VendorError): boolean {
  return vendorCode === "invalid_grant";
}
