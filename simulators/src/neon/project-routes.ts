import { type Static, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { advanceOperations } from "./advance-operations.ts";
import { CreateProjectBody, createProject } from "./create-project.ts";
import { accountOf, authenticate, resolveOwner } from "./neon-accounts.ts";
import { neonError } from "./neon-errors.ts";
import { dropDatabase } from "./neon-postgres.ts";
import { databaseTarget, loginsOf, PROJECT, passwordOf, projectsOf } from "./neon-projects.ts";
import { connectionUri, presentListedProject, presentOperation, presentProject } from "./present-project.ts";
import { UpdateProjectBody, updateProject } from "./update-project.ts";
import { withProject } from "./with-project.ts";

const PROJECTS = "/api/v2/projects";
const ONE_PROJECT = `${PROJECTS}/:project_id`;
const CLOSED = { additionalProperties: false };

const ListProjectsQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 400 })),
    search: Type.Optional(Type.String()),
    org_id: Type.Optional(Type.String({ pattern: "^[a-z0-9-]{1,60}$" })),
    timeout: Type.Optional(Type.Integer({ minimum: 100, maximum: 30_000 })),
  },
  CLOSED,
);
const ListOperationsQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  CLOSED,
);
const ConnectionUriQuery = Type.Object(
  {
    database_name: Type.String(),
    role_name: Type.String(),
    pooled: Type.Optional(Type.Boolean()),
  },
  CLOSED,
);

/** Project routes. The projects' databases are on the Postgres server at `adminUrl`. */
export function projectRoutes(adminUrl: string): readonly VendorRoute[] {
  const { hostname } = new URL(adminUrl);
  return [
    {
      operation: "createProject",
      method: "POST",
      url: PROJECTS,
      body: CreateProjectBody,
      auth: authenticate,
      handle: (request, context) => createProject(request, context, adminUrl),
    },
    {
      operation: "listProjects",
      method: "GET",
      url: PROJECTS,
      query: ListProjectsQuery,
      auth: authenticate,
      handle: (request, context) => listProjects(request, context, hostname),
    },
    {
      operation: "getProject",
      method: "GET",
      url: ONE_PROJECT,
      auth: authenticate,
      handle: withProject(async (project) => {
        return { status: 200, body: { project: presentProject(project, hostname) } };
      }),
    },
    {
      operation: "updateProject",
      method: "PATCH",
      url: ONE_PROJECT,
      body: UpdateProjectBody,
      auth: authenticate,
      handle: withProject((project, request, context) => updateProject(project, request, context, hostname)),
    },
    {
      operation: "deleteProject",
      method: "DELETE",
      url: ONE_PROJECT,
      auth: authenticate,
      handle: withProject(async (project, _request, { objects }) => {
        // The project is removed last, so an interrupted deletion can be retried.
        await dropDatabase(adminUrl, databaseTarget(project), loginsOf(project));
        await objects.remove(PROJECT, project.id);
        return { status: 200, body: { project: presentProject(project, hostname) } };
      }),
    },
    {
      operation: "getConnectionURI",
      method: "GET",
      url: `${ONE_PROJECT}/connection_uri`,
      query: ConnectionUriQuery,
      auth: authenticate,
      handle: withProject(async (project, { query }) => {
        // The query was validated against this schema before `handle` was called.
        const requested = query as Static<typeof ConnectionUriQuery>;
        const { databaseName } = project.data;
        if (requested.database_name !== databaseName) return neonError(404, "database not found");
        const password = passwordOf(project, requested.role_name);
        if (password === undefined) return neonError(404, "role not found");
        const login = { name: requested.role_name, password };
        return { status: 200, body: { uri: connectionUri(project, adminUrl, login) } };
      }),
    },
    ...operationRoutes(adminUrl),
  ];
}

function operationRoutes(adminUrl: string): readonly VendorRoute[] {
  return [
    {
      operation: "listProjectOperations",
      method: "GET",
      url: `${ONE_PROJECT}/operations`,
      query: ListOperationsQuery,
      auth: authenticate,
      handle: withProject(async (read, _request, context) => {
        const project = await advanceOperations(adminUrl, context, read);
        const operations = project.data.operations.map((operation) => presentOperation(project, operation));
        return { status: 200, body: { operations: operations.toReversed() } };
      }),
    },
    {
      operation: "getProjectOperation",
      method: "GET",
      url: `${ONE_PROJECT}/operations/:operation_id`,
      auth: authenticate,
      handle: withProject(async (read, { params }, context) => {
        const project = await advanceOperations(adminUrl, context, read);
        const found = project.data.operations.find(({ id }) => id === params["operation_id"]);
        if (!found) return neonError(404, "operation not found");
        return { status: 200, body: { operation: presentOperation(project, found) } };
      }),
    },
  ];
}

/**
 * Lists the caller's projects. `search` matches a part of a project's name or ID. The cursor is the ID of the last
 * project on the previous page.
 */
async function listProjects(
  request: VendorRequest,
  context: VendorContext,
  proxyHost: string,
): Promise<VendorResponse> {
  // The query was validated against this schema before the handler was called.
  const query = request.query as Static<typeof ListProjectsQuery>;
  const { search = "", limit = 10, cursor } = query;
  const ownerId = resolveOwner(accountOf(request), query.org_id);
  if (typeof ownerId !== "string") return ownerId;

  const found = (await projectsOf(context, [ownerId])).filter(
    ({ id, data }) => data.name.includes(search) || id.includes(search),
  );
  const start = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor) + 1;
  const page = found.slice(start, start + limit);
  const last = page.at(-1)?.id;
  return {
    status: 200,
    body: {
      projects: page.map((project) => presentListedProject(project, proxyHost)),
      applications: {},
      integrations: {},
      ...(last === undefined ? {} : { pagination: { cursor: last } }),
    },
  };
}
