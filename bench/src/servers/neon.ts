import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { serveParent } from "../server-process.ts";
import { listenOnLoopback, readBody, sendJson } from "./listen.ts";

interface Project {
  readonly id: string;
  readonly name: string;
  readonly region_id: string;
  readonly org_id: string;
  readonly pg_version: number;
  readonly proxy_host: string;
  readonly created_at: string;
}

type Reply = readonly [status: number, body: unknown];

const ACCOUNT = "org-bench-00000000";
const PROXY_HOST = "bench.neon.localhost";

/**
 * Simulates the part of Neon's API that the saga calls. It responds immediately from memory, so that the vendor does
 * not affect the measurement. The connection URIs do not point to a real database.
 */
serveParent(async () => {
  const projects = createProjects();
  const { origin } = await listenOnLoopback(async (request, response) => {
    const [status, body] = await reply(projects, request);
    sendJson(response, status, body);
  });
  return { apiUrl: `${origin}/api/v2` };
});

type Projects = ReturnType<typeof createProjects>;

function createProjects() {
  const byId = new Map<string, Project>();
  const byName = new Map<string, Project>();
  return {
    find: (id: string) => byId.get(id),
    search: (name: string) => [byName.get(name)].filter((project) => project !== undefined),
    add: (project: Project) => {
      byId.set(project.id, project);
      byName.set(project.name, project);
    },
    remove: (project: Project) => {
      byId.delete(project.id);
      byName.delete(project.name);
    },
  };
}

async function reply(projects: Projects, request: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://neon");
  const [, , , kind, id, part] = pathname.split("/");
  if (kind !== "projects") return accountReply(pathname);
  if (id !== undefined) return projectReply(projects, request.method, { id, part, searchParams });
  if (request.method !== "POST") {
    return [200, { projects: projects.search(searchParams.get("search") ?? "") }];
  }
  const { project: input } = JSON.parse(await readBody(request));
  const project = {
    pg_version: 17,
    ...input,
    id: `bench-${randomBytes(8).toString("hex")}`,
    org_id: ACCOUNT,
    proxy_host: PROXY_HOST,
    created_at: new Date().toISOString(),
  };
  projects.add(project);
  return [201, { project, operations: operationsOf(project) }];
}

function accountReply(pathname: string): Reply {
  switch (pathname) {
    case "/api/v2/auth":
      return [200, { account_id: "bench", auth_method: "api_key_user" }];
    case "/api/v2/users/me":
      return [200, { email: "bench@example.com", login: "bench" }];
    case "/api/v2/users/me/organizations":
      return [200, { organizations: [{ id: ACCOUNT, name: "Bench" }] }];
    default:
      return [404, { code: "", message: "not found" }];
  }
}

function projectReply(
  projects: Projects,
  method: string | undefined,
  {
    id,
    part,
    searchParams,
  }: {
    readonly id: string;
    readonly part: string | undefined;
    readonly searchParams: URLSearchParams;
  },
): Reply {
  const project = projects.find(id);
  if (project === undefined) return [404, { code: "", message: "project not found" }];
  if (method === "DELETE") projects.remove(project);
  if (part === "operations") return [200, { operations: operationsOf(project) }];
  if (part === "connection_uri") return [200, { uri: uriOf(project, searchParams) }];
  return [200, { project }];
}

function operationsOf({ id }: Project) {
  return [{ id: `${id}-created`, project_id: id, action: "create_timeline", status: "finished" }];
}

function uriOf({ id, proxy_host }: Project, query: URLSearchParams): string {
  const host = `ep-${id}${query.get("pooled") === "true" ? "-pooler" : ""}.${proxy_host}`;
  return `postgresql://${query.get("role_name")}:password@${host}/${query.get("database_name")}`;
}
