import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { listServices, presentService, ServiceResource } from "../../../../modules/projects/index.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import type { Server } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

const SERVICE_ID_FORM = /^srv_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export function listServicesRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id/services",
    config: {
      auth: "tenant",
      scope: "projects:read",
      agentBound: "allowed",
      sample: { sdk: "each projects.services.list(PROJECT_ID)" },
    },
    schema: {
      operationId: "listServices",
      tags: ["Services"],
      summary: "List services",
      description: "Returns the project's services, newest first. Failed services are included, removed ones are not.",
      params: Type.Object({ project_id: Type.String() }),
      querystring: CursorQuery,
      response: {
        200: cursorPage(ServiceResource),
        404: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const afterServiceId = decodeCursor(cursor, SERVICE_ID_FORM);
      const key = projectKeyOf(request, request.params.project_id);
      const { services, hasMore } = await listServices(app, { key, afterServiceId, limit });
      const page = { items: services, hasMore };
      return presentPage(page, presentService, ({ serviceId }) => serviceId);
    },
  });
}
