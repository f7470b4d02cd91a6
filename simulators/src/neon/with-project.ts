import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { accountOf } from "./neon-accounts.ts";
import { neonError } from "./neon-errors.ts";
import { findProject, type NeonProject } from "./neon-projects.ts";

/**
 * Loads the project whose ID is in the path and calls `work` with the project. Responds 404 if the project does not
 * exist or belongs to another account.
 */
export function withProject(
  work: (project: NeonProject, request: VendorRequest, context: VendorContext) => Promise<VendorResponse>,
): VendorRoute["handle"] {
  return async (request, context) => {
    const { id, organizations } = accountOf(request);
    const project = await findProject(context, {
      id: request.params["project_id"] ?? "",
      owners: [id, ...organizations],
    });
    return project ? work(project, request, context) : neonError(404, "project not found");
  };
}
