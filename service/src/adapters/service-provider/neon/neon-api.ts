import { Type } from "typebox";
import { VendorError, type VendorFailure } from "../../../ports/vendor-error.ts";
import { pathOf, type VendorApi } from "../../http-client/vendor-client.ts";

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

/** An error that is not about a call of the API. */
export function neonError(failure: VendorFailure, operation: string, vendorMessage: string): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation, vendorMessage });
}

export async function readProject(neon: VendorApi, projectId: string) {
  const operation = "getProject";
  const { project } = await neon.get(operation, pathOf`/projects/${projectId}`, ProjectResponse);
  neon.expectMatch(operation, [[project.id, projectId]]);
  return project;
}
