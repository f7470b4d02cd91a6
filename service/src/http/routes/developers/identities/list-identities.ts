import type { App } from "../../../../app.ts";
import { credentialErrors } from "../../../../foundation/wire/problem.ts";
import { IdentityListResource, listIdentities, presentIdentities } from "../../../../modules/developers/index.ts";
import { principalOf, type Server } from "../../../route.ts";

export function listIdentitiesRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/dashboard/identities",
    config: { auth: "dashboard", unverified: "allowed" },
    schema: {
      operationId: "listIdentities",
      tags: ["Identities"],
      summary: "List linked identities",
      description: "Returns the GitHub and Google accounts with which the developer can log in, ordered by provider.",
      response: {
        200: IdentityListResource,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      return presentIdentities(await listIdentities(app.db, principalOf(request).tenantId));
    },
  });
}
