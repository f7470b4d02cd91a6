import type { LinkError } from "../../../foundation/vocabulary.ts";
import type { VendorError, VendorFailure } from "../../../ports/vendor-error.ts";

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

/** Whether a refusal is about the code or the refresh token itself (RFC 6749, 5.2), and no fault of who presents it. */
export function isInvalidGrant({ vendorCode }: VendorError): boolean {
  return vendorCode === "invalid_grant";
}
