import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** The gRPC code and the HTTP status of each error. */
const STATUSES = {
  INVALID_ARGUMENT: { code: 3, status: 400 },
  NOT_FOUND: { code: 5, status: 404 },
  PERMISSION_DENIED: { code: 7, status: 403 },
  RESOURCE_EXHAUSTED: { code: 8, status: 429 },
  INTERNAL: { code: 13, status: 500 },
  UNAUTHENTICATED: { code: 16, status: 401 },
} as const;

/** Returns an error response in the gRPC JSON format, which Turnkey uses. */
export function turnkeyError(name: keyof typeof STATUSES, message: string): VendorResponse {
  const { code, status } = STATUSES[name];
  return { status, body: { code, message, details: [] } };
}

export const turnkeyErrors: VendorErrors = {
  unauthorized: () => turnkeyError("UNAUTHENTICATED", "could not verify api key signature"),
  invalid: (problems) =>
    turnkeyError(
      "INVALID_ARGUMENT",
      `bad request body: ${problems.map(({ path, message }) => `${path} ${message}`).join(", ")}`,
    ),
  notFound: () => turnkeyError("NOT_FOUND", "Not Found"),
  refused: () => turnkeyError("PERMISSION_DENIED", "request not authorized"),
  // A repeated call gets its normal response.
  duplicate: (applied) => applied,
  rateLimited: () =>
    turnkeyError("RESOURCE_EXHAUSTED", "this organization cannot execute activities because it has been rate limited."),
  serverError: () => turnkeyError("INTERNAL", "internal server error"),
};
