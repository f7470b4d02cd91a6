import { DeveloperResource, presentDeveloper } from "../../../modules/developers/developer-resource.ts";
import { readProfile } from "../../../modules/developers/queries.ts";
import { endpoint, principalOf } from "../../route.ts";

export const getDashboardProfileRoute = endpoint("GET /api/v1/svc/developers/dashboard/me", {
  config: { auth: "dashboard", unverified: "allowed" },
  schema: {
    operationId: "getDashboardProfile",
    summary: "Get the dashboard profile",
    description: "Returns the profile of the logged-in developer. The email address does not have to be verified.",
    response: { 200: DeveloperResource },
  },
  handler: async (app, request) => {
    const { tenantId, mode } = principalOf(request);
    return presentDeveloper(app, await readProfile(app.db, tenantId), mode ?? "live");
  },
});
