import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { listLinks, presentLink } from "../../../modules/projects/index.ts";
import type { Server } from "../../route.ts";
import { Nullable } from "../../schemas/common.ts";
import { credentialErrors, Problem } from "../../schemas/errors.ts";
import { Cursor, cursorAfter, LIMIT_DEFAULT, Limit, nameInCursor } from "./cursor.ts";
import { LinkOut } from "./link-out.ts";
import { projectKeyOf } from "./project-reach.ts";

const LINK_ID_FORM = /^lnk_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export function listLinksRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id/links",
    config: { auth: "tenant", scope: "projects:read", agentBound: "allowed" },
    schema: {
      operationId: "listLinks",
      tags: ["Projects"],
      summary: "The project's links, newest first, those that have ended too",
      params: Type.Object({ project_id: Type.String() }),
      querystring: Type.Object(
        { cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) },
        { additionalProperties: false },
      ),
      response: {
        200: Type.Object({
          object: Type.Literal("list"),
          data: Type.Array(LinkOut),
          has_more: Type.Boolean(),
          next_cursor: Nullable(Type.String()),
        }),
        404: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const afterLinkId = nameInCursor(cursor, LINK_ID_FORM);
      const key = projectKeyOf(request, request.params.project_id);
      const { links, hasMore } = await listLinks(app, { key, afterLinkId, limit });
      const now = app.clock.now();
      const last = links.at(-1);
      return {
        object: "list" as const,
        data: links.map((link) => presentLink({ link, opening: null }, now)),
        has_more: hasMore,
        next_cursor: hasMore && last !== undefined ? cursorAfter(last.linkId) : null,
      };
    },
  });
}
