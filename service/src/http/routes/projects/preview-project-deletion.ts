import {
  ProjectDeletionPreviewResource,
  presentProjectDeletionPreview,
} from "../../../workflows/delete-project/deletion-resource.ts";
import { previewDeletion } from "../../../workflows/delete-project/request-deletion.ts";
import { endpoint } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export const previewProjectDeletionRoute = endpoint("POST /api/v1/svc/projects/:project_id/delete-preview", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    replayGuard: "strict",
    sample: { sdk: "projects.deletePreview(PROJECT_ID)" },
  },
  schema: {
    operationId: "previewProjectDeletion",
    summary: "Preview the deletion of a project",
    description:
      "Returns what `DELETE /projects/{project_id}` would do to each service and to the variables, and what will still be billed. Changes nothing.",
    response: { 200: ProjectDeletionPreviewResource },
  },
  handler: async (app, request) => {
    const key = projectKeyOf(request, request.params.project_id);
    return presentProjectDeletionPreview(await previewDeletion(app, key));
  },
});
