import { randomUUID } from "node:crypto";
import type { VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** Returns an error response in Neon's format. Most of Neon's errors have an empty code. */
export function neonError(status: number, message: string, code = ""): VendorResponse {
  return { status, body: { request_id: randomUUID(), code, message } };
}

/** Returns the error for an account that has reached its project limit. */
export function projectsLimitExceeded(): VendorResponse {
  return neonError(422, "user projects limit of 1 exceeded, got 1", "PROJECTS_LIMIT_EXCEEDED");
}

export const neonErrors: VendorErrors = {
  unauthorized: () => neonError(401, "supplied credentials do not pass authentication"),
  invalid: (problems) =>
    neonError(400, problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join(", ")),
  notFound: () => neonError(404, "not found"),
  refused: () => neonError(422, "this action is not allowed for this account at the moment"),
  // A repeated create call gets 409. Neon itself would create a second project with the same name. Any other repeated
  // call gets 404.
  duplicate: ({ status }) =>
    status === 201 ? neonError(409, "project already exists") : neonError(404, "project not found"),
  rateLimited: () => neonError(429, "too many requests, please try again later"),
  serverError: () => neonError(500, "internal server error"),
};
