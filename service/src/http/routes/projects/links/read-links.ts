import { LinkResource, presentLink } from "../../../../modules/links/link-resource.ts";
import { getLink, listLinks } from "../../../../modules/links/read-links.ts";
import { type Principal, principalOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

export const getLinkRoute = endpoint("GET /api/v1/svc/projects/:project_id/links/:link_id", {
  operationId: "getLink",
  sdk: "projects.links.get",
  summary: "Get a link",
  description:
    "Returns a link. While the link is pending, `url` and `state` are included for callers that can link providers: a dashboard session, or a key that has the scope `projects:write` and is not bound to agents.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: LinkResource },
  run: async (app, request) => {
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

export const listLinksRoute = endpoint("GET /api/v1/svc/projects/:project_id/links", {
  operationId: "listLinks",
  sdk: "projects.links.list",
  summary: "List links",
  description:
    "Returns the project's links, newest first, including failed, expired and revoked ones. `url` and `state` are null.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(LinkResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeIdCursor(cursor, "lnk");
    const key = projectKeyOf(request, request.params.project_id);
    const page = await listLinks(app, { key, after, limit });
    const now = app.clock.now();
    return presentPage(
      page,
      (link) => presentLink({ link, completion: null }, now),
      ({ linkId }) => linkId,
    );
  },
});
