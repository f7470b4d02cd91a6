import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns an error response in Fireblocks' format. */
function fireblocksError(status: number, message: string, code: number): VendorResponse {
  return { status, body: { message, code } };
}

export const fireblocksErrors: VendorErrors = {
  unauthorized: () => fireblocksError(401, "invalid signature", -1),
  invalid: (problems) =>
    fireblocksError(400, problems.map(({ path, message }) => `${path} ${message}`.trim()).join(", "), 1427),
  notFound: () => fireblocksError(404, "Not Found", 1404),
  refused: () => fireblocksError(403, "The API user is not permitted to perform the request", 1403),
  duplicate: (applied) => applied,
  rateLimited: () => fireblocksError(429, "Too many requests", 1429),
  serverError: () => fireblocksError(500, "Internal Error", 1000),
};
