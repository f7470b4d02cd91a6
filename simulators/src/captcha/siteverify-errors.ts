import type { VendorAnswer, VendorErrors } from "../kit/vendor-simulator.ts";

/** Every verdict is a 200. */
export function verdict(body: object): VendorAnswer {
  return { status: 200, body };
}

export function unsolved(...codes: readonly string[]): VendorAnswer {
  return verdict({ success: false, "error-codes": codes });
}

/** @param spent the vendor's code for a token that was used */
export function siteverifyErrors(spent: string): VendorErrors {
  return {
    unauthorized: () => unsolved("invalid-input-secret"),
    invalid: () => unsolved("bad-request"),
    notFound: () => ({ status: 404, body: {} }),
    refused: () => unsolved("invalid-input-response"),
    duplicate: () => unsolved(spent),
    rateLimited: () => ({ status: 429, body: {} }),
    serverError: () => ({ status: 500, body: {} }),
  };
}
