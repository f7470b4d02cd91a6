import { type Static, type TSchema, Type } from "typebox";
import { VendorError, type VendorFailure } from "../../../ports/vendor-error.ts";
import { pathOf, type VendorCall, type VendorClient } from "../../http-client/vendor-client.ts";

export const VENDOR = "neon";

// Ids are validated because they are used as path segments and stored in the database.
export const Id = Type.String({ pattern: "^[a-z0-9-]{1,60}$" });
export const Project = Type.Object({
  id: Id,
  name: Type.String(),
  region_id: Type.String(),
  org_id: Type.Optional(Type.String()),
});
const ProjectResponse = Type.Object({
  project: Type.Object({ ...Project.properties, proxy_host: Type.String({ minLength: 1 }) }),
});

/** Calls Neon's API with an access token. */
export type Neon = <Schema extends TSchema>(call: Omit<VendorCall<Schema>, "headers">) => Promise<Static<Schema>>;

export function neonOf(client: VendorClient, accessToken: string): Neon {
  return (call) => client.call({ ...call, headers: { authorization: `Bearer ${accessToken}` } });
}

export function neonError(failure: VendorFailure, operation: string, vendorMessage: string): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation, vendorMessage });
}

/**
 * Throws a `VendorError` with the failure `unknown` if the response refers to a different object from the one
 * requested.
 */
export function expectMatch(
  operation: string,
  pairs: readonly (readonly [received: unknown, requested: unknown])[],
): void {
  if (pairs.some(([received, requested]) => received !== requested)) {
    throw neonError("unknown", operation, "the response describes a different object");
  }
}

export async function readProject(neon: Neon, projectId: string) {
  const operation = "getProject";
  const { project } = await neon({
    operation,
    method: "GET",
    path: pathOf`/projects/${projectId}`,
    schema: ProjectResponse,
  });
  expectMatch(operation, [[project.id, projectId]]);
  return project;
}
