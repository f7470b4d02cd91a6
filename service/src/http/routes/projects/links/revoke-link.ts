import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { LinkResource, presentLink, revokeLink } from "../../../../modules/projects/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { pathId } from "../../../path-id.ts";
import { principalOf, type Server } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

export function revokeLinkRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/projects/:project_id/links/:link_id",
    config: {
      auth: "tenant",
      scope: "projects:write",
      replayGuard: "strict",
      sample: { sdk: "projects.links.revoke(PROJECT_ID, LINK_ID)" },
    },
    schema: {
      operationId: "revokeLink",
      tags: ["Links"],
      summary: "Revoke a link",
      description:
        "Revokes a completed or pending link and deletes its tokens. Tokens that the provider issued to Purser are also revoked at the provider, unless another link uses the account. A failed, expired or revoked link is returned unchanged. Fails with `link_in_use` while services use the link.",
      params: Type.Object({ project_id: Type.String(), link_id: Type.String() }),
      response: { 200: LinkResource, 404: Problem, 409: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const { project_id, link_id } = request.params;
      const link = await revokeLink(app, {
        actor: actorOf(request, principalOf(request)),
        key: projectKeyOf(request, project_id),
        linkId: pathId("lnk", link_id),
      });
      return presentLink({ link, completion: null }, app.clock.now());
    },
  });
}
