import { Type } from "typebox";
import { Nullable } from "../../../../foundation/wire/fields.ts";
import { NamedObject } from "../../../../foundation/wire/named-object.ts";
import { getProjectOperation } from "../../../../modules/projects/read-projects.ts";
import { getServiceOfOperation } from "../../../../modules/services/read-services.ts";
import { presentService, removalEffectOf, ServiceResource } from "../../../../modules/services/service-resource.ts";
import { errorForOperation, presentOperation } from "../../../../operations/operation-resource.ts";
import { removeService } from "../../../../workflows/remove-service/remove-service.ts";
import { actorOf } from "../../../auth/principal.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { OperationResource } from "../../operations/operation-schema.ts";
import { projectKeyOf } from "../project-key.ts";

export const removeServiceRoute = endpoint("DELETE /api/v1/svc/projects/:project_id/services/:service_id", {
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
      effect: Type.Enum(["destroyed", "detached"], {
        description:
          "What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider.",
      }),
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
