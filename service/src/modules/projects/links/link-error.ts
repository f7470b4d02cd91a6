import type { LinkError } from "../../../foundation/vocabulary.ts";
import type { VendorError, VendorFailure } from "../../../ports/vendor-error.ts";

/** Maps OAuth error codes (RFC 6749, section 4.1.2.1) to link errors. Any other code becomes `provider_refused`. */
const REDIRECT_ERRORS: ReadonlyMap<string, LinkError> = new Map([
  ["access_denied", "access_denied"],
  ["server_error", "provider_unavailable"],
  ["temporarily_unavailable", "provider_unavailable"],
]);

/** Returns the link's error for the `error` parameter of a provider's redirect. */
export function errorOfRedirect(error: string): LinkError {
  return REDIRECT_ERRORS.get(error) ?? "provider_refused";
}

const REJECTIONS: ReadonlySet<VendorFailure> = new Set(["refused", "unauthorized", "not_found"]);

/** Returns true if the provider rejected the call. Any other failure means that there was no usable response. */
export function isRejection({ failure }: VendorError): boolean {
  return REJECTIONS.has(failure);
}

/**
 * Returns true if the provider rejected the authorization code or the refresh token itself (RFC 6749, section 5.2), not
 * the OAuth client.
 */
export function isInvalidGrant({ vendorCode }: VendorError): boolean {
  return vendorCode === "invalid_grant";
}
