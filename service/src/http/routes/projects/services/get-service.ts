import { getService } from "../../../../modules/services/read-services.ts";
import { presentServiceWithPulls, ServiceResource } from "../../../../modules/services/service-resource.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

export const getServiceRoute = endpoint("GET /api/v1/svc/projects/:project_id/services/:service_id", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    agentBound: "allowed",
    sample: { sdk: "projects.services.get(PROJECT_ID, SERVICE_ID)" },
  },
  schema: {
    operationId: "getService",
    summary: "Get a service",
    description:
      "Returns a service of the project, even if adding it failed. Never returns credentials. Fails with 404 `service_not_found` if the service was removed.",
    response: { 200: ServiceResource },
  },
  handler: async (app, request) => {
    const key = projectKeyOf(request, request.params.project_id);
    const serviceId = pathId("srv", request.params.service_id);
    const { service, pulls } = await getService(app, { key, serviceId });
    return presentServiceWithPulls(service, pulls);
  },
});
