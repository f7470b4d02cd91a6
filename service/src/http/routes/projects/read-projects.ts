import { Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";
import type { ProjectId } from "../../../foundation/ids.ts";
import { NamedObject } from "../../../foundation/wire/named-object.ts";
import { getProjectStatus } from "../../../modules/charges/get-project-status.ts";
import { ProjectStatusResource, presentProjectStatus } from "../../../modules/charges/project-status-resource.ts";
import { ProjectResource, presentProject } from "../../../modules/projects/project-resource.ts";
import { getProject, listProjects } from "../../../modules/projects/read-projects.ts";
import { scopeOf } from "../../auth/principal.ts";
import { Cursor, decodePosition, NextCursor, positionName, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export const getProjectRoute = endpoint("GET /api/v1/svc/projects/:project_id", {
  operationId: "getProject",
  sdk: "projects.get",
  summary: "Get a project",
  description: "Returns the project with its usage in the current month.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: ProjectResource },
  run: async (app, request) => presentProject(await getProject(app, projectKeyOf(request, request.params.project_id))),
});

export const getProjectStatusRoute = endpoint("GET /api/v1/svc/projects/:project_id/status", {
  operationId: "getProjectStatus",
  sdk: "projects.status",
  summary: "Get the status of a project",
  description:
    "Returns the project's spending in the current month, its newest charges, its services and links, and the actions that a user must take.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: ProjectStatusResource },
  run: async (app, request) =>
    presentProjectStatus(await getProjectStatus(app, projectKeyOf(request, request.params.project_id))),
});

const PAGE_MAX = 1_000_000_000;
const PER_PAGE_DEFAULT = 20;
const PROJECT_ID_FORM = /^proj_[0-9a-z]{1,60}$/;

export const listProjectsRoute = endpoint("GET /api/v1/svc/projects", {
  operationId: "listProjects",
  sdk: "projects.list",
  summary: "List projects",
  description:
    "Returns the projects in the caller's mode, newest first. Deleted projects are not included. A key bound to agents or projects gets only the projects that it can access.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  projectBound: "allowed",
  query: Type.Object(
    {
      cursor: Type.Optional(Cursor),
      page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: PAGE_MAX,
          description:
            "Page number, 1 by default. Projects that are created or deleted between two calls move the pages; `cursor` misses none. Not together with `cursor`.",
        }),
      ),
      per_page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: "Number of projects per page. Default: 20.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  answers: {
    200: NamedObject("ProjectList", {
      object: Type.Literal("list"),
      data: Type.Array(ProjectResource),
      page: Type.Optional(Type.Integer({ description: "Absent if the call has `cursor`." })),
      per_page: Type.Integer(),
      has_more: Type.Boolean(),
      next_cursor: NextCursor,
    }),
  },
  run: async (app, request) => {
    const { cursor, page, per_page: perPage = PER_PAGE_DEFAULT } = request.query;
    if (cursor !== undefined && page !== undefined) {
      throw invalidField("/query/page", "conflict", "must be absent if `cursor` is given");
    }
    const after = decodePosition(cursor, PROJECT_ID_FORM);
    const list = await listProjects(app, {
      scope: scopeOf(request),
      after: after && { createdAt: after.at, projectId: after.id as ProjectId },
      page: page ?? 1,
      perPage,
    });
    return {
      ...presentPage(list, presentProject, ({ createdAt, projectId }) => positionName(createdAt, projectId)),
      ...(cursor === undefined && { page: page ?? 1 }),
      per_page: perPage,
    };
  },
});
