import { listServices } from "../../../../modules/services/read-services.ts";
import { presentService, ServiceResource } from "../../../../modules/services/service-resource.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

const SERVICE_ID_FORM = /^srv_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const listServicesRoute = endpoint("GET /api/v1/svc/projects/:project_id/services", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    agentBound: "allowed",
    sample: { sdk: "each projects.services.list(PROJECT_ID)" },
  },
  schema: {
    operationId: "listServices",
    summary: "List services",
    description: "Returns the project's services, newest first. Failed services are included, removed ones are not.",
    querystring: CursorQuery,
    response: { 200: cursorPage(ServiceResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeCursor(cursor, SERVICE_ID_FORM);
    const key = projectKeyOf(request, request.params.project_id);
    const page = await listServices(app, { key, after, limit });
    return presentPage(page, presentService, ({ serviceId }) => serviceId);
  },
});
