import { Type } from "typebox";
import { NamedObject, Nullable, OneOf, Text, Timestamp } from "../../../../foundation/wire/fields.ts";
import { getProjectOperation } from "../../../../modules/projects/projects.ts";
import { openServiceDashboard } from "../../../../modules/services/open-dashboard.ts";
import {
  presentService,
  presentServiceWithPulls,
  removalEffectOf,
  ServiceResource,
} from "../../../../modules/services/service-resource.ts";
import { getService, getServiceOfOperation, listServices } from "../../../../modules/services/services.ts";
import { errorForOperation, presentOperation } from "../../../../operations/operation-resource.ts";
import { removeService } from "../../../../workflows/remove-service/remove-service.ts";
import { actorOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { replyOnce } from "../../../idempotency.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint, type Route } from "../../../route.ts";
import { OperationResource } from "../../operations/operations.ts";
import { projectKeyOf } from "../project-key.ts";
import { addServiceRoute } from "./add-service.ts";
import { rotateServiceRoute } from "./rotate-service.ts";
import { upgradeServiceRoute } from "./upgrade-service.ts";

const getServiceRoute = endpoint("GET /api/v1/svc/projects/:project_id/services/:service_id", {
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

const listServicesRoute = endpoint("GET /api/v1/svc/projects/:project_id/services", {
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
    return presentPage(page, presentService, "serviceId");
  },
});

const DeepLinkResource = NamedObject("DeepLink", {
  object: Type.Literal("deep_link"),
  url: Text("URL of the provider's dashboard that can be used once. Keep it secret: anyone who has it can use it."),
  expires_at: Nullable(Timestamp, "When the URL expires. Null if the provider does not say."),
});

const openDashboardRoute = endpoint("POST /api/v1/svc/projects/:project_id/services/:service_id/deep-link", {
  operationId: "createDeepLink",
  sdk: "projects.services.deepLink",
  summary: "Open a service's dashboard",
  description:
    "Returns a URL that opens the service in its provider's dashboard and can be used once. It is not stored: a repeated call with the same Idempotency-Key fails with `secret_already_issued`. Fails with 404 `not_found` if `dashboard_url_available` of the service is false.",
  auth: "tenant",
  scope: "services:write",
  replayGuard: "always",
  answers: { 200: DeepLinkResource },
  errors: ["not_found"],
  run: async (app, request, reply) => {
    const { project_id, service_id } = request.params;
    const command = {
      actor: actorOf(request),
      key: projectKeyOf(request, project_id),
      serviceId: pathId("srv", service_id),
    };
    const present = ({ url, expiresAt }: Awaited<ReturnType<typeof openServiceDashboard>>) => ({
      object: "deep_link" as const,
      url,
      expires_at: expiresAt?.toISOString() ?? null,
    });
    return replyOnce(app, request, reply, { status: 200, present, secret: true }, (saveResponse) =>
      openServiceDashboard(app, command, saveResponse),
    );
  },
});

const removeServiceRoute = endpoint("DELETE /api/v1/svc/projects/:project_id/services/:service_id", {
  operationId: "removeService",
  sdk: "projects.services.remove",
  summary: "Remove a service",
  description:
    "Removes a service and deletes its credentials. The resource at the provider is deleted with all its data. If the service was added with `existing_resource_id`, the resource stays at the provider. Waits up to 20 seconds for the removal to finish. If the operation is then still running, `poll_url` is set. While the service is being removed, a repeated call returns the running operation. Fails with `conflict` while the service is being added, with `provider_error` if the provider rejects the call, and with `provider_unavailable` if the provider cannot be reached.",
  auth: "tenant",
  scope: "services:write",
  replayGuard: "strict",
  answers: {
    200: NamedObject("ServiceRemoval", {
      ...ServiceResource.properties,
      effect: OneOf(
        ["destroyed", "detached"],
        "What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider.",
      ),
      operation: OperationResource,
      poll_url: Nullable(
        Type.String(),
        "URL path to poll for the operation's status. Null if the operation has ended.",
      ),
    }),
  },
  errors: ["provider_error", "conflict", "provider_unavailable"],
  run: async (app, request) => {
    const actor = actorOf(request);
    const key = projectKeyOf(request, request.params.project_id);
    const serviceId = pathId("srv", request.params.service_id);
    const operationId = await removeService(app, { actor, key, serviceId });
    const operation = await getProjectOperation(app, { key, operationId });
    if (operation.error !== null) throw errorForOperation(operation.error);
    const service = await getServiceOfOperation(app, key, serviceId);
    const presented = presentOperation(operation);
    return {
      ...presentService(service),
      effect: removalEffectOf(service),
      operation: presented,
      poll_url: presented.poll_url,
    };
  },
});

export const serviceRoutes: readonly Route[] = [
  addServiceRoute,
  rotateServiceRoute,
  removeServiceRoute,
  listServicesRoute,
  getServiceRoute,
  upgradeServiceRoute,
  openDashboardRoute,
];
