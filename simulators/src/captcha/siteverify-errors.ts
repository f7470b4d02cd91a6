import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns a verdict. Its status is always 200. */
export function verdictResponse(body: object): VendorResponse {
  return { status: 200, body };
}

export function failure(...codes: readonly string[]): VendorResponse {
  return verdictResponse({ success: false, "error-codes": codes });
}

/** @param usedTokenCode the vendor's error code for a token that was used */
export function siteverifyErrors(usedTokenCode: string): VendorErrors {
  return {
    unauthorized: () => failure("invalid-input-secret"),
    invalid: () => failure("bad-request"),
    notFound: () => ({ status: 404, body: {} }),
    refused: () => failure("invalid-input-response"),
    duplicate: () => failure(usedTokenCode),
    rateLimited: () => ({ status: 429, body: {} }),
    serverError: () => ({ status: 500, body: {} }),
  };
}
