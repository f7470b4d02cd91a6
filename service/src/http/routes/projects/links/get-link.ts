import { LinkResource, presentLink } from "../../../../modules/links/link-resource.ts";
import { getLink } from "../../../../modules/links/read-links.ts";
import type { Principal } from "../../../auth/principal.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint, principalOf } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

export const getLinkRoute = endpoint("GET /api/v1/svc/projects/:project_id/links/:link_id", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    agentBound: "allowed",
    sample: { sdk: "projects.links.get(PROJECT_ID, LINK_ID)" },
  },
  schema: {
    operationId: "getLink",
    summary: "Get a link",
    description:
      "Returns a link. While the link is pending, `url` and `state` are included for callers that can link providers: a dashboard session, or a key that has the scope `projects:write` and is not bound to agents.",
    response: { 200: LinkResource },
  },
  handler: async (app, request) => {
    const { project_id, link_id } = request.params;
    const link = await getLink(app, {
      key: projectKeyOf(request, project_id),
      linkId: pathId("lnk", link_id),
      canComplete: canLink(principalOf(request)),
    });
    return presentLink(link, app.clock.now());
  },
});

/** Returns true if the caller can link providers. Only such callers get the `url` and `state` of a pending link. */
function canLink(principal: Principal): boolean {
  if (principal.kind === "session") return true;
  return principal.scopes.includes("projects:write") && principal.agentIds.length === 0;
}
