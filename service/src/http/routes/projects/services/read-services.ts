import { getService, listServices } from "../../../../modules/services/read-services.ts";
import {
  presentService,
  presentServiceWithPulls,
  ServiceResource,
} from "../../../../modules/services/service-resource.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

export const getServiceRoute = endpoint("GET /api/v1/svc/projects/:project_id/services/:service_id", {
  operationId: "getService",
  sdk: "projects.services.get",
  summary: "Get a service",
  description:
    "Returns a service of the project, even if adding it failed. Never returns credentials. Fails with 404 `service_not_found` if the service was removed.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: ServiceResource },
  errors: ["service_not_found"],
  run: async (app, request) => {
    const key = projectKeyOf(request, request.params.project_id);
    const serviceId = pathId("srv", request.params.service_id);
    const { service, pulls } = await getService(app, { key, serviceId });
    return presentServiceWithPulls(service, pulls);
  },
});

const SERVICE_ID_FORM = /^srv_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const listServicesRoute = endpoint("GET /api/v1/svc/projects/:project_id/services", {
  operationId: "listServices",
  sdk: "projects.services.list",
  summary: "List services",
  description: "Returns the project's services, newest first. Failed services are included, removed ones are not.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(ServiceResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeCursor(cursor, SERVICE_ID_FORM);
    const key = projectKeyOf(request, request.params.project_id);
    const page = await listServices(app, { key, after, limit });
    return presentPage(page, presentService, ({ serviceId }) => serviceId);
  },
});
