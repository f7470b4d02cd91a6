import { DeveloperResource, presentDeveloper } from "../../../modules/developers/developer-resource.ts";
import { readProfile } from "../../../modules/developers/queries.ts";
import { endpoint, principalOf } from "../../route.ts";

export const getDeveloperRoute = endpoint("GET /api/v1/svc/developers/me", {
  config: {
    auth: "tenant",
    scope: null,
    agentBound: "allowed",
    projectBound: "allowed",
    unverified: "allowed",
    sample: { sdk: "developers.me()" },
  },
  schema: {
    operationId: "getDeveloper",
    summary: "Get the developer's profile",
    description: "Returns the profile of the developer who owns the API key or dashboard session. Requires no scope.",
    response: { 200: DeveloperResource },
  },
  handler: async (app, request) => {
    const { tenantId, mode } = principalOf(request);
    return presentDeveloper(app, await readProfile(app.db, tenantId), mode ?? "live");
  },
});
