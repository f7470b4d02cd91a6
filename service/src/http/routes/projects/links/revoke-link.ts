import { revokeLink } from "../../../../modules/links/end-link.ts";
import { LinkResource, presentLink } from "../../../../modules/links/link-resource.ts";
import { actorOf } from "../../../auth/principal.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

export const revokeLinkRoute = endpoint("DELETE /api/v1/svc/projects/:project_id/links/:link_id", {
  operationId: "revokeLink",
  sdk: "projects.links.revoke",
  summary: "Revoke a link",
  description:
    "Revokes a completed or pending link and deletes its tokens. Tokens that the provider issued to Purser are also revoked at the provider, unless another link uses the account. A failed, expired or revoked link is returned unchanged. Fails with `link_in_use` while services use the link.",
  auth: "tenant",
  scope: "projects:write",
  replayGuard: "strict",
  answers: { 200: LinkResource },
  errors: ["link_in_use"],
  run: async (app, request) => {
    const { project_id, link_id } = request.params;
    const link = await revokeLink(app, {
      actor: actorOf(request),
      key: projectKeyOf(request, project_id),
      linkId: pathId("lnk", link_id),
    });
    return presentLink({ link, completion: null }, app.clock.now());
  },
});
