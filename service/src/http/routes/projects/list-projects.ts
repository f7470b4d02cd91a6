import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { listProjects, ProjectResource, presentProject } from "../../../modules/projects/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";

const PAGE_MAX = 1_000_000_000;
const PER_PAGE_DEFAULT = 20;

export function listProjectsRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects",
    config: {
      auth: "tenant",
      scope: "projects:read",
      agentBound: "allowed",
      sample: { sdk: "each projects.list()" },
    },
    schema: {
      operationId: "listProjects",
      tags: ["Projects"],
      summary: "List projects",
      description:
        "Returns the projects in the caller's mode, newest first. Deleted projects are not included. A key bound to agents or projects gets only the projects that it can access.",
      querystring: Type.Object(
        {
          page: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: PAGE_MAX,
              default: 1,
              description: "Page number, starting at 1.",
            }),
          ),
          per_page: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100,
              default: PER_PAGE_DEFAULT,
              description: "Number of projects per page.",
            }),
          ),
        },
        { additionalProperties: false },
      ),
      response: {
        200: Type.Object(
          {
            object: Type.Literal("list"),
            data: Type.Array(ProjectResource),
            page: Type.Integer(),
            per_page: Type.Integer(),
            has_more: Type.Boolean(),
          },
          { $id: "ProjectList" },
        ),
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { page = 1, per_page: perPage = PER_PAGE_DEFAULT } = request.query;
      const scope = scopeOf(principalOf(request));
      const { projects, hasMore } = await listProjects(app, { scope, page, perPage });
      return {
        object: "list" as const,
        data: projects.map(presentProject),
        page,
        per_page: perPage,
        has_more: hasMore,
      };
    },
  });
}
