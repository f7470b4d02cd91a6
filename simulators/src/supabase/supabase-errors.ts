import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns an error response in Supabase's format. */
export function supabaseError(status: number, message: string): VendorResponse {
  return { status, body: { message } };
}

export const supabaseErrors: VendorErrors = {
  unauthorized: () => supabaseError(401, "Unauthorized"),
  invalid: (problems) =>
    supabaseError(400, problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join(", ")),
  notFound: () => supabaseError(404, "Not Found"),
  refused: () => supabaseError(400, "There are overdue invoices in the organization(s)"),
  // A repeated create call gets 409. Any other repeated call gets 404.
  duplicate: ({ status }) => (status === 201 ? supabaseError(409, "Conflict") : supabaseError(404, "Not Found")),
  rateLimited: () => ({
    ...supabaseError(429, "ThrottlerException: Too Many Requests"),
    headers: { "retry-after": "1" },
  }),
  serverError: () => supabaseError(500, "Internal server error"),
};
