import { deleteProject } from "../../../workflows/delete-project/delete-project.ts";
import {
  ProjectDeletionPreviewResource,
  ProjectDeletionResource,
  presentProjectDeletion,
  presentProjectDeletionPreview,
} from "../../../workflows/delete-project/deletion-resource.ts";
import { previewDeletion } from "../../../workflows/delete-project/request-deletion.ts";
import { actorOf } from "../../auth/principal.ts";
import { endpoint } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export const deleteProjectRoute = endpoint("DELETE /api/v1/svc/projects/:project_id", {
  operationId: "deleteProject",
  sdk: "projects.delete",
  summary: "Delete a project",
  description:
    "Deletes a project: removes all services, revokes the provider links, deletes the variables, and deletes the project's customer at the payment processor. `POST /projects/{project_id}/delete-preview` shows in advance what happens to each service's resource at its provider. Waits up to 20 seconds for the deletion to finish. If `status` is then `deleting`, repeat the request to check the progress. Fails with 404 `project_not_found` once the project is deleted.",
  auth: "tenant",
  scope: "projects:write",
  replayGuard: "strict",
  answers: { 200: ProjectDeletionResource },
  errors: ["project_not_found"],
  run: async (app, request) => {
    const report = await deleteProject(app, {
      actor: actorOf(request),
      key: projectKeyOf(request, request.params.project_id),
    });
    return presentProjectDeletion(report);
  },
});

export const previewProjectDeletionRoute = endpoint("POST /api/v1/svc/projects/:project_id/delete-preview", {
  operationId: "previewProjectDeletion",
  sdk: "projects.deletePreview",
  summary: "Preview the deletion of a project",
  description:
    "Returns what `DELETE /projects/{project_id}` would do to each service and to the variables, and what will still be billed. Changes nothing.",
  auth: "tenant",
  scope: "projects:read",
  replayGuard: "strict",
  answers: { 200: ProjectDeletionPreviewResource },
  run: async (app, request) => {
    const key = projectKeyOf(request, request.params.project_id);
    return presentProjectDeletionPreview(await previewDeletion(app, key));
  },
});
