import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns an error response in OAuth format (RFC 6749, section 5.2). */
export function googleError(status: number, error: string, error_description: string): VendorResponse {
  return { status, body: { error, error_description } };
}

export const googleErrors: VendorErrors = {
  unauthorized: () => googleError(401, "invalid_client", "Unauthorized"),
  invalid: (problems) => {
    const description = problems.map(({ path, message }) => `${path} ${message}`.trim()).join("; ");
    return googleError(400, "invalid_request", description);
  },
  notFound: () => googleError(404, "not_found", "Not Found"),
  refused: () => googleError(400, "invalid_grant", "Bad Request"),
  // A repeated call gets its normal response, except that an authorization code can be exchanged only once.
  duplicate: (applied) =>
    "id_token" in Object(applied.body) ? googleError(400, "invalid_grant", "Bad Request") : applied,
  rateLimited: () => googleError(429, "rate_limit_exceeded", "Rate Limit Exceeded"),
  serverError: () => googleError(500, "internal_failure", "Backend Error"),
};
