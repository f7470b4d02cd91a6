import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { LinkResource, listLinks, presentLink } from "../../../../modules/projects/index.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import type { Server } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

const LINK_ID_FORM = /^lnk_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export function listLinksRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id/links",
    config: {
      auth: "tenant",
      scope: "projects:read",
      agentBound: "allowed",
      sample: { sdk: "each projects.links.list(PROJECT_ID)" },
    },
    schema: {
      operationId: "listLinks",
      tags: ["Links"],
      summary: "List links",
      description:
        "Returns the project's links, newest first, including failed, expired and revoked ones. `url` and `state` are null.",
      params: Type.Object({ project_id: Type.String() }),
      querystring: CursorQuery,
      response: {
        200: cursorPage(LinkResource),
        404: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const afterLinkId = decodeCursor(cursor, LINK_ID_FORM);
      const key = projectKeyOf(request, request.params.project_id);
      const { links, hasMore } = await listLinks(app, { key, afterLinkId, limit });
      const now = app.clock.now();
      const page = { items: links, hasMore };
      return presentPage(
        page,
        (link) => presentLink({ link, completion: null }, now),
        ({ linkId }) => linkId,
      );
    },
  });
}
