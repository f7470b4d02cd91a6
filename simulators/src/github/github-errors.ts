import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

const TROUBLESHOOTING =
  "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/";

/** Token endpoint errors with GitHub's descriptions. */
const TOKEN_PROBLEMS = {
  bad_verification_code: "The code passed is incorrect or expired.",
  incorrect_client_credentials: "The client_id and/or client_secret passed are incorrect.",
  unsupported_grant_type: "The grant_type is not supported.",
  redirect_uri_mismatch: "The redirect_uri MUST match the registered callback URL for this application.",
} as const;

/** Returns an API error response. As in GitHub's API, the body contains the status as a string. */
function githubError(status: number, message: string, more: object = {}): VendorResponse {
  const body = { message, ...more, documentation_url: "https://docs.github.com/rest" };
  return { status, body: { ...body, status: String(status) } };
}

/** Returns a token endpoint error. Its status is 200, as in GitHub's API. */
export function tokenProblem(error: keyof typeof TOKEN_PROBLEMS): VendorResponse {
  const error_uri = `${TROUBLESHOOTING}#${error.replaceAll("_", "-")}`;
  return { status: 200, body: { error, error_description: TOKEN_PROBLEMS[error], error_uri } };
}

export const githubErrors: VendorErrors = {
  unauthorized: () => githubError(401, "Bad credentials"),
  invalid: (problems) =>
    githubError(422, "Validation Failed", {
      errors: problems.map(({ path, message }) => ({ field: path, code: "invalid", message })),
    }),
  notFound: () => githubError(404, "Not Found"),
  refused: () => githubError(403, "Forbidden"),
  // A repeated call gets its normal response, except that an authorization code can be exchanged only once.
  duplicate: (applied) => ("access_token" in Object(applied.body) ? tokenProblem("bad_verification_code") : applied),
  rateLimited: () => githubError(429, "You have exceeded a secondary rate limit."),
  serverError: () => githubError(502, "Server Error"),
};
