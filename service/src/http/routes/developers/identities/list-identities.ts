import {
  IdentityListResource,
  presentIdentities,
} from "../../../../modules/developers/identities/identity-resources.ts";
import { listIdentities } from "../../../../modules/developers/identities/queries.ts";
import { endpoint, principalOf } from "../../../route.ts";

export const listIdentitiesRoute = endpoint("GET /api/v1/svc/developers/dashboard/identities", {
  config: { auth: "dashboard", unverified: "allowed" },
  schema: {
    operationId: "listIdentities",
    summary: "List linked identities",
    description: "Returns the GitHub and Google accounts with which the developer can log in, ordered by provider.",
    response: { 200: IdentityListResource },
  },
  handler: async (app, request) => {
    return presentIdentities(await listIdentities(app.db, principalOf(request).tenantId));
  },
});
