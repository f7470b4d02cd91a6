import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns an error response of the protocol. */
export function agenticError(status: number, code: string, message: string): VendorResponse {
  return { status, body: { type: "error", status: "error", error: { code, message } } };
}

export const agenticErrors: VendorErrors = {
  unauthorized: () => agenticError(401, "unauthorized", "The access token is invalid."),
  invalid: (problems) =>
    agenticError(400, "invalid_request", problems.map(({ path, message }) => `${path} ${message}`.trim()).join(", ")),
  notFound: () => agenticError(404, "not_found", "Resource not found."),
  refused: () => agenticError(409, "refused", "The request was rejected by a forced outcome."),
  // A repeated removal gets 404. The protocol has no error for other repeated calls.
  duplicate: ({ body }) =>
    Object(body).status === "removed"
      ? agenticErrors.notFound()
      : agenticError(409, "already_exists", "The resource already exists."),
  rateLimited: () => ({
    ...agenticError(429, "rate_limited", "Too many requests."),
    headers: { "retry-after": "1" },
  }),
  serverError: () => agenticError(500, "internal_error", "Internal error."),
};
