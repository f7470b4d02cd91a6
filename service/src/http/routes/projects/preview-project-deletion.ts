import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { previewDeletion, removalEffectOf } from "../../../modules/projects/index.ts";
import type { Server } from "../../route.ts";
import { DeletionEffect } from "./project-out.ts";
import { projectKeyOf } from "./project-reach.ts";

export function previewProjectDeletionRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/projects/:project_id/delete-preview",
    config: { auth: "tenant", scope: "projects:read" },
    schema: {
      operationId: "previewProjectDeletion",
      tags: ["Projects"],
      summary: "What deleting the project would do, service by service. Does nothing",
      params: Type.Object({ project_id: Type.String() }),
      response: {
        200: Type.Object(
          {
            object: Type.Literal("project_deletion_preview"),
            project_id: Type.String(),
            name: Type.String(),
            services: Type.Array(DeletionEffect),
            variables: Type.Integer({ description: "How many variables would lose their values." }),
          },
          { $id: "ProjectDeletionPreview" },
        ),
        404: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const key = projectKeyOf(request, request.params.project_id);
      const { project, services, variableCount } = await previewDeletion(app, key);
      return {
        object: "project_deletion_preview" as const,
        project_id: project.projectId,
        name: project.name,
        services: services.map((service) => ({
          service_id: service.serviceId,
          effect: removalEffectOf(service),
          detail: null,
        })),
        variables: variableCount,
      };
    },
  });
}
