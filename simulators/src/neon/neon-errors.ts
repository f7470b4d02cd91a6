import { randomUUID } from "node:crypto";
import type { VendorAnswer, VendorErrors } from "../kit/vendor-simulator.ts";

/** Neon's one envelope. Most of its errors have no code. */
export function neonError(status: number, message: string, code = ""): VendorAnswer {
  return { status, body: { request_id: randomUUID(), code, message } };
}

/** What an account is told that may not have another project. */
export function projectsLimitExceeded(): VendorAnswer {
  return neonError(422, "user projects limit of 1 exceeded, got 1", "PROJECTS_LIMIT_EXCEEDED");
}

export const neonErrors: VendorErrors = {
  unauthorized: () => neonError(401, "supplied credentials do not pass authentication"),
  invalid: (problems) =>
    neonError(
      400,
      problems
        .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
        .join(", "),
    ),
  notFound: () => neonError(404, "not found"),
  refused: () => neonError(422, "this action is not allowed for this account at the moment"),
  // What was destroyed is not there. Neon's names are not unique, so 409 is stricter than Neon itself.
  duplicate: ({ status }) =>
    status === 201 ? neonError(409, "project already exists") : neonError(404, "project not found"),
  rateLimited: () => neonError(429, "too many requests, please try again later"),
  serverError: () => neonError(500, "internal server error"),
};
