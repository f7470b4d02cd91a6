import type { RequestProblem, VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns an error response in Bridge's format. */
export function bridgeError(
  status: number,
  code: string,
  message: string,
  source?: { readonly location: string; readonly key: string },
): VendorResponse {
  return { status, body: { code, message, ...(source && { source }) } };
}

/** An error that a route throws. The client receives its response. */
export class BridgeApiError extends Error {
  override readonly name = "BridgeApiError";
  readonly response: VendorResponse;

  constructor(response: VendorResponse) {
    super(JSON.stringify(response.body));
    this.response = response;
  }
}

/** Returns the error about a field of the body. */
export function invalidField(key: string, message: string): BridgeApiError {
  return new BridgeApiError(bridgeError(400, "invalid_parameters", `${key} ${message}`, { location: "body", key }));
}

export const bridgeErrors: VendorErrors = {
  unauthorized: () =>
    bridgeError(401, "invalid_credentials", "The API key is missing or is not valid", {
      location: "header",
      key: "Api-Key",
    }),
  invalid: (problems) => bridgeError(400, "invalid_parameters", joinProblems(problems)),
  notFound: () => bridgeError(404, "not_found", "The resource was not found"),
  refused: () => bridgeError(403, "forbidden", "This API key does not have that scope"),
  duplicate: (applied) => applied,
  rateLimited: () => bridgeError(429, "rate_limit_exceeded", "Too many requests"),
  serverError: () => bridgeError(500, "unexpected_error", "An unexpected error has happened"),
};

function joinProblems(problems: readonly RequestProblem[]): string {
  return problems.map(({ path, message }) => `${path} ${message}`.trim()).join(", ");
}
