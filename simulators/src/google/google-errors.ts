import type { VendorAnswer, VendorErrors } from "../kit/vendor-simulator.ts";

/** The token endpoint's envelope, which is OAuth's own (RFC 6749, 5.2). */
export function googleError(
  status: number,
  error: string,
  error_description: string,
): VendorAnswer {
  return { status, body: { error, error_description } };
}

export const googleErrors: VendorErrors = {
  unauthorized: () => googleError(401, "invalid_client", "Unauthorized"),
  invalid: (problems) => {
    const said = problems.map(({ path, message }) => `${path} ${message}`.trim()).join("; ");
    return googleError(400, "invalid_request", said);
  },
  notFound: () => googleError(404, "not_found", "Not Found"),
  refused: () => googleError(400, "invalid_grant", "Bad Request"),
  // Only the token endpoint has something that cannot be done twice.
  duplicate: (applied) =>
    "id_token" in Object(applied.body) ? googleError(400, "invalid_grant", "Bad Request") : applied,
  rateLimited: () => googleError(429, "rate_limit_exceeded", "Rate Limit Exceeded"),
  serverError: () => googleError(500, "internal_failure", "Backend Error"),
};
