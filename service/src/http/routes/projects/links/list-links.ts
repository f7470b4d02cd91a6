import { LinkResource, presentLink } from "../../../../modules/links/link-resource.ts";
import { listLinks } from "../../../../modules/links/read-links.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

export const listLinksRoute = endpoint("GET /api/v1/svc/projects/:project_id/links", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    agentBound: "allowed",
    sample: { sdk: "each projects.links.list(PROJECT_ID)" },
  },
  schema: {
    operationId: "listLinks",
    summary: "List links",
    description:
      "Returns the project's links, newest first, including failed, expired and revoked ones. `url` and `state` are null.",
    querystring: CursorQuery,
    response: { 200: cursorPage(LinkResource) },
  },
  handler: async (app, request) => {
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
