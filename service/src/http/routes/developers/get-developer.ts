import type { App } from "../../../app.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { DeveloperResource, presentDeveloper, readProfile } from "../../../modules/developers/index.ts";
import { principalOf, type Server } from "../../route.ts";

export function getDeveloperRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/me",
    config: {
      auth: "tenant",
      scope: null,
      agentBound: "allowed",
      unverified: "allowed",
      sample: { sdk: "developers.me()" },
    },
    schema: {
      operationId: "getDeveloper",
      tags: ["Developers"],
      summary: "Get the developer's profile",
      description: "Returns the profile of the developer who owns the API key or dashboard session. Requires no scope.",
      response: { 200: DeveloperResource, ...credentialErrors },
    },
    handler: async (request) => {
      const { tenantId, mode } = principalOf(request);
      return presentDeveloper(app, await readProfile(app.db, tenantId), mode ?? "live");
    },
  });
}
