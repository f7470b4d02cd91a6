import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { serveParent } from "../server-process.ts";
import { listenBare, readBody, sendJson } from "./listen.ts";

interface Project {
  readonly id: string;
  readonly name: string;
  readonly region_id: string;
  readonly org_id: string;
  readonly pg_version: number;
  readonly proxy_host: string;
  readonly created_at: string;
}

type Answer = readonly [status: number, body: unknown];

const ACCOUNT = "org-bench-00000000";
const PROXY_HOST = "bench.neon.localhost";

/**
 * What the saga needs of Neon, answered at once and out of memory: what is measured then is the saga, and not a vendor nor
 * a simulator of one. No database stands behind the addresses that it gives.
 */
serveParent(async () => {
  const projects = createProjects();
  const { origin } = await listenBare(async (request, response) => {
    const [status, body] = await answer(projects, request);
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

async function answer(projects: Projects, request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://neon");
  const [, , , kind, id, part] = pathname.split("/");
  if (kind !== "projects") return accountAnswer(pathname);
  if (id !== undefined) return projectAnswer(projects, request.method, { id, part, searchParams });
  if (request.method !== "POST") {
    return [200, { projects: projects.search(searchParams.get("search") ?? "") }];
  }
  const { project: wanted } = JSON.parse(await readBody(request));
  const project = {
    pg_version: 17,
    ...wanted,
    id: `bench-${randomBytes(8).toString("hex")}`,
    org_id: ACCOUNT,
    proxy_host: PROXY_HOST,
    created_at: new Date().toISOString(),
  };
  projects.add(project);
  return [201, { project, operations: operationsOf(project) }];
}

function accountAnswer(pathname: string): Answer {
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

function projectAnswer(
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
): Answer {
  const project = projects.find(id);
  if (project === undefined) return [404, { code: "", message: "project not found" }];
  if (method === "DELETE") projects.remove(project);
  if (part === "operations") return [200, { operations: operationsOf(project) }];
  if (part === "connection_uri") return [200, { uri: uriOf(project, searchParams) }];
  return [200, { project }];
}

function operationsOf({ id }: Project) {
  return [{ project_id: id, action: "create_timeline", status: "finished" }];
}

function uriOf({ id, proxy_host }: Project, asked: URLSearchParams): string {
  const host = `ep-${id}${asked.get("pooled") === "true" ? "-pooler" : ""}.${proxy_host}`;
  return `postgresql://${asked.get("role_name")}:password@${host}/${asked.get("database_name")}`;
}
