import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns a siteverify response. Its status is 200 even if the captcha check failed. */
export function captchaResponse(body: object): VendorResponse {
  return { status: 200, body };
}

export function failure(...codes: readonly string[]): VendorResponse {
  return captchaResponse({ success: false, "error-codes": codes });
}

/** @param usedTokenCode the vendor's error code for a token that was already used */
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
