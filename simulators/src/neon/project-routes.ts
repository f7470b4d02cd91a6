import { type Static, Type } from "typebox";
import type {
  VendorAnswer,
  VendorContext,
  VendorRequest,
  VendorRoute,
} from "../kit/vendor-simulator.ts";
import { CreateProjectBody, createProject } from "./create-project.ts";
import { accountOf, authenticate, ownerOf } from "./neon-accounts.ts";
import { connectionUri, listedProject, shownOperation, shownProject } from "./neon-answers.ts";
import { neonError } from "./neon-errors.ts";
import { dropPlace } from "./neon-postgres.ts";
import { findProject, type NeonProject, PROJECT, placeOf, projectsOf } from "./neon-projects.ts";

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

/** Projects, whose databases are made in the Postgres behind `adminUrl`. */
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
      handle: ofProject(async (project) => {
        return { status: 200, body: { project: shownProject(project, hostname) } };
      }),
    },
    {
      operation: "deleteProject",
      method: "DELETE",
      url: ONE_PROJECT,
      auth: authenticate,
      handle: ofProject(async (project, _request, { objects }) => {
        // The project goes last: a deletion that is cut short can be asked for again.
        await dropPlace(adminUrl, placeOf(project));
        await objects.remove(PROJECT, project.id);
        return { status: 200, body: { project: shownProject(project, hostname) } };
      }),
    },
    {
      operation: "getConnectionURI",
      method: "GET",
      url: `${ONE_PROJECT}/connection_uri`,
      query: ConnectionUriQuery,
      auth: authenticate,
      handle: ofProject(async (project, { query }) => {
        // The kit has held the query against the schema above.
        const asked = query as Static<typeof ConnectionUriQuery>;
        const { databaseName, roleName } = project.data;
        if (asked.database_name !== databaseName) return neonError(404, "database not found");
        if (asked.role_name !== roleName) return neonError(404, "role not found");
        return { status: 200, body: { uri: connectionUri(project, adminUrl) } };
      }),
    },
    ...operationRoutes,
  ];
}

const operationRoutes: readonly VendorRoute[] = [
  {
    operation: "listProjectOperations",
    method: "GET",
    url: `${ONE_PROJECT}/operations`,
    query: ListOperationsQuery,
    auth: authenticate,
    handle: ofProject(async (project) => {
      const operations = project.data.operations.map((it) => shownOperation(project, it));
      return { status: 200, body: { operations: operations.toReversed() } };
    }),
  },
  {
    operation: "getProjectOperation",
    method: "GET",
    url: `${ONE_PROJECT}/operations/:operation_id`,
    auth: authenticate,
    handle: ofProject(async (project, { params }) => {
      const found = project.data.operations.find(({ id }) => id === params["operation_id"]);
      if (!found) return neonError(404, "operation not found");
      return { status: 200, body: { operation: shownOperation(project, found) } };
    }),
  },
];

/** The work with the project in the path. Another account's project is as one that is not there. */
function ofProject(
  work: (
    project: NeonProject,
    request: VendorRequest,
    context: VendorContext,
  ) => Promise<VendorAnswer>,
): VendorRoute["handle"] {
  return async (request, context) => {
    const { id, organizations } = accountOf(request);
    const project = await findProject(context, {
      id: request.params["project_id"] ?? "",
      owners: [id, ...organizations],
    });
    return project ? work(project, request, context) : neonError(404, "project not found");
  };
}

/** Searches names and ids for a part of them. The cursor is the id of the last project that was listed. */
async function listProjects(
  request: VendorRequest,
  context: VendorContext,
  proxyHost: string,
): Promise<VendorAnswer> {
  // The kit has held the query against the schema above.
  const query = request.query as Static<typeof ListProjectsQuery>;
  const { search = "", limit = 10, cursor } = query;
  const ownerId = ownerOf(accountOf(request), query.org_id);
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
      projects: page.map((project) => listedProject(project, proxyHost)),
      applications: {},
      integrations: {},
      ...(last === undefined ? {} : { pagination: { cursor: last } }),
    },
  };
}
