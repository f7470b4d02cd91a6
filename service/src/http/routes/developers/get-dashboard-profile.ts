import type { App } from "../../../app.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { DeveloperResource, presentDeveloper, readProfile } from "../../../modules/developers/index.ts";
import { principalOf, type Server } from "../../route.ts";

export function getDashboardProfileRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/dashboard/me",
    config: { auth: "dashboard", unverified: "allowed" },
    schema: {
      operationId: "getDashboardProfile",
      tags: ["Developers"],
      summary: "Get the dashboard profile",
      description: "Returns the profile of the logged-in developer. The email address does not have to be verified.",
      response: { 200: DeveloperResource, ...credentialErrors },
    },
    handler: async (request) => {
      const { tenantId, mode } = principalOf(request);
      return presentDeveloper(app, await readProfile(app.db, tenantId), mode ?? "live");
    },
  });
}
