import type { FastifyRequest } from "fastify";
import type { PolicyKey } from "../../../modules/policies/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { principalOf } from "../../route.ts";

/**
 * Returns the id of the policy in the path, together with the filter for the rows that the caller can read. Throws a 404
 * for a malformed id.
 */
export function policyKeyOf(request: FastifyRequest, policyId: string): PolicyKey {
  return { ...scopeOf(principalOf(request)), policyId: pathId("pol", policyId) };
}
