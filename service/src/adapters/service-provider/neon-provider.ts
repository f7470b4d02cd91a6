import { setTimeout as delay } from "node:timers/promises";
import { type Static, Type } from "typebox";
import { NO_RETRY, RETRY_WITHIN_REQUEST } from "../../foundation/retry.ts";
import type {
  ProviderAccess,
  ProviderResource,
  ProvisionRequest,
  ServiceProvider,
} from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createVendorClient, pathOf } from "../http-client/vendor-client.ts";
import { NEON_ID, type Neon, neonError, neonOf } from "./call-neon.ts";
import { identifyNeonAccount } from "./neon-account.ts";
import { neonEnvOf } from "./neon-env.ts";
import { hasNeonSettings, neonSettingsOf } from "./neon-plan.ts";
import { readNeonUsage } from "./neon-usage.ts";

const VENDOR = "neon";
/**
 * Neon's default names for a project's database and role. `create` sends these names, so that `readEnv` can rely on
 * them.
 */
const DATABASE = "neondb";
const ROLE = "neondb_owner";

/** The delay before each poll of a new project. Projects are usually ready within two seconds. */
const READY_POLL_PAUSES_MS = [100, 200, 400, 800, 1_500] as const;
const PENDING = { status: "pending", pollAfterMs: 1_000, expectedSeconds: 5 } as const;

const PROJECTS_PER_PAGE = 100;
const PAGES_MAX = 50;
/** A new project has fewer operations than this, so one page is enough. */
const OPERATIONS_PER_PAGE = 100;

/**
 * Operations that must end before a project can be used. All other operations can also run while the project is in use.
 */
const SETUP_ACTIONS: ReadonlySet<string> = new Set([
  "create_timeline",
  "create_branch",
  "create_compute",
  "start_compute",
  "apply_config",
]);
const ENDED: ReadonlySet<string> = new Set(["finished", "skipped", "cancelled"]);
const FAILED: ReadonlySet<string> = new Set(["failed", "error"]);

const Id = NEON_ID;
const Project = Type.Object({
  id: Id,
  name: Type.String(),
  region_id: Type.String(),
  org_id: Type.Optional(Type.String()),
});
const ListedProject = Type.Object({ ...Project.properties, created_at: Type.String() });
const Operation = Type.Object({ project_id: Id, action: Type.String(), status: Type.String() });

const CreatedResponse = Type.Object({
  project: Type.Object({ ...Project.properties, pg_version: Type.Integer() }),
  operations: Type.Array(Operation),
});
const ProjectResponse = Type.Object({
  project: Type.Object({ ...Project.properties, proxy_host: Type.String({ minLength: 1 }) }),
});
const UpdatedResponse = Type.Object({
  project: Type.Object({ id: Id }),
  operations: Type.Array(Operation),
});
const DeletedResponse = Type.Object({ project: Type.Object({ id: Id }) });
const OperationsResponse = Type.Object({ operations: Type.Array(Operation) });
const ProjectsResponse = Type.Object({
  projects: Type.Array(ListedProject),
  pagination: Type.Optional(Type.Object({ cursor: Type.Optional(Type.String()) })),
  unavailable_project_ids: Type.Optional(Type.Array(Type.String())),
});
const ConnectionUriResponse = Type.Object({ uri: Type.String({ minLength: 1 }) });
type Operation = Static<typeof Operation>;
type ListedProject = Static<typeof ListedProject>;

export interface NeonProviderOptions {
  /** `https://console.neon.tech/api/v2`, or the simulator's URL. No trailing slash. */
  readonly apiUrl: string;
  readonly sandboxToken?: string | undefined;
  /** Timeout for one call in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Neon (https://api-docs.neon.tech). A service is a Neon project with its own Postgres. Accounts are linked with a
 * pasted API key, because Neon offers OAuth apps to partners only.
 */
export function createNeonProvider({
  apiUrl,
  sandboxToken,
  timeoutMs,
}: NeonProviderOptions): ServiceProvider {
  const common = {
    vendor: VENDOR,
    baseUrl: apiUrl,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const requestClient = createVendorClient({ ...common, readRetry: RETRY_WITHIN_REQUEST });
  // Sagas use this client. It does not retry calls, because sagas retry failed calls themselves.
  const client = createVendorClient({ ...common, readRetry: NO_RETRY });
  return {
    provider: VENDOR,
    oauth: null,
    needsPassword: false,
    canAdopt: true,
    tokenPageUrl: "https://console.neon.tech/app/settings/api-keys",
    sandboxToken,
    identify: (accessToken) => identifyNeonAccount(neonOf(requestClient, accessToken)),
    provision: async (access, order) => {
      const neon = neonOf(client, access.accessToken);
      return awaitReady(neon, await create(neon, access, order));
    },
    find: (access, name) => find(neonOf(client, access.accessToken), access, name),
    inspect: (access, projectId) => inspect(neonOf(client, access.accessToken), projectId),
    readEnv: (access, { resourceId, config }) =>
      readEnv(neonOf(client, access.accessToken), resourceId, databaseOf(config)),
    readUsage: (access, request) =>
      readNeonUsage(neonOf(client, access.accessToken), access, request),
    changePlan: async (access, change) => {
      const neon = neonOf(client, access.accessToken);
      return awaitReady(neon, await changePlan(neon, change));
    },
    deprovision: (access, projectId) => deprovision(neonOf(client, access.accessToken), projectId),
  };
}

/**
 * Throws a `VendorError` with the failure `unknown` if the response refers to a different object from the one
 * requested.
 */
function expectMatch(
  operation: string,
  pairs: readonly (readonly [received: unknown, requested: unknown])[],
): void {
  if (pairs.some(([received, requested]) => received !== requested)) {
    throw neonError("unknown", operation, "the response describes a different object");
  }
}

async function create(
  neon: Neon,
  access: ProviderAccess,
  order: ProvisionRequest,
): Promise<ProviderResource> {
  const operation = "createProject";
  const pgVersion = order.config["pg_version"];
  const { project, operations } = await neon({
    operation,
    method: "POST",
    path: "/projects",
    // The plan is not sent, because Neon's plans apply to whole organizations.
    body: {
      project: {
        name: order.resourceName,
        region_id: order.region,
        branch: { database_name: databaseOf(order.config), role_name: ROLE },
        ...(pgVersion === undefined ? {} : { pg_version: pgVersion }),
        ...(access.accountId === null ? {} : { org_id: access.accountId }),
      },
    },
    schema: CreatedResponse,
  });
  expectMatch(operation, [
    [project.name, order.resourceName],
    [project.region_id, order.region],
    [project.pg_version, pgVersion ?? project.pg_version],
    [project.org_id, access.accountId ?? project.org_id],
    ...operations.map(({ project_id }) => [project_id, project.id] as const),
  ]);
  return statusOf(project.id, operations);
}

/**
 * Polls a new project until it is ready, or returns it as `pending` after the last poll. A vendor error ends the
 * polling but is not thrown: the project already exists, so `provision` must return it.
 */
async function awaitReady(neon: Neon, created: ProviderResource): Promise<ProviderResource> {
  let resource = created;
  try {
    for (const waitMs of READY_POLL_PAUSES_MS) {
      if (resource.status !== "pending") break;
      await delay(waitMs);
      resource = await readStatus(neon, resource.resourceId);
    }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
  }
  return resource;
}

async function readStatus(neon: Neon, projectId: string): Promise<ProviderResource> {
  const operation = "listProjectOperations";
  const { operations } = await neon({
    operation,
    method: "GET",
    path: pathOf`/projects/${projectId}/operations`,
    query: { limit: String(OPERATIONS_PER_PAGE) },
    schema: OperationsResponse,
  });
  expectMatch(
    operation,
    operations.map(({ project_id }) => [project_id, projectId] as const),
  );
  return statusOf(projectId, operations);
}

function statusOf(resourceId: string, operations: readonly Operation[]): ProviderResource {
  const setup = operations.filter(({ action }) => SETUP_ACTIONS.has(action));
  const failed = setup.find(({ status }) => FAILED.has(status));
  if (failed) return { status: "failed", resourceId, reason: `${failed.action} ${failed.status}` };
  return setup.every(({ status }) => ENDED.has(status))
    ? { status: "ready", resourceId }
    : { ...PENDING, resourceId };
}

async function find(
  neon: Neon,
  access: ProviderAccess,
  name: string,
): Promise<ProviderResource | undefined> {
  const operation = "listProjects";
  const named: ListedProject[] = [];
  let unavailable = 0;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response = await neon({
      operation,
      method: "GET",
      path: "/projects",
      query: {
        search: name,
        limit: String(PROJECTS_PER_PAGE),
        cursor,
        org_id: access.accountId ?? undefined,
      },
      schema: ProjectsResponse,
    });
    // The search also returns projects whose name or id merely contains the requested name.
    named.push(
      ...response.projects.filter((project) => isRequested(project, name, access.accountId)),
    );
    unavailable += response.unavailable_project_ids?.length ?? 0;
    cursor = response.pagination?.cursor;
    // Neon returns a cursor with the last page too, so an empty page ends the list.
    if (cursor === undefined || response.projects.length === 0) {
      return statusOfOldest(neon, named, unavailable);
    }
  }
  throw neonError("unknown", operation, "the list has too many pages");
}

function isRequested(project: ListedProject, name: string, accountId: string | null): boolean {
  return project.name === name && (accountId === null || project.org_id === accountId);
}

async function statusOfOldest(
  neon: Neon,
  named: readonly ListedProject[],
  unavailable: number,
): Promise<ProviderResource | undefined> {
  // Neon allows duplicate names. The oldest project is chosen so that every call returns the same one.
  const [oldest] = named.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  if (oldest) return readStatus(neon, oldest.id);
  if (unavailable === 0) return undefined;
  throw neonError("unavailable", "listProjects", `${unavailable} projects could not be listed`);
}

async function inspect(neon: Neon, projectId: string): Promise<ProviderResource> {
  await readProject(neon, projectId);
  return readStatus(neon, projectId);
}

async function readProject(neon: Neon, projectId: string) {
  const operation = "getProject";
  const { project } = await neon({
    operation,
    method: "GET",
    path: pathOf`/projects/${projectId}`,
    schema: ProjectResponse,
  });
  expectMatch(operation, [[project.id, projectId]]);
  return project;
}

/** Changes the project's settings to those of the plan. Does nothing if the project has them already. */
async function changePlan(
  neon: Neon,
  { resourceId: projectId, plan, from }: Parameters<NonNullable<ServiceProvider["changePlan"]>>[1],
): Promise<ProviderResource> {
  const wanted = neonSettingsOf(plan);
  const project = await readProject(neon, projectId);
  const isOther = from !== undefined && !hasNeonSettings(project, neonSettingsOf(from));
  if (isOther || hasNeonSettings(project, wanted)) return readStatus(neon, projectId);
  const operation = "updateProject";
  const updated = await neon({
    operation,
    method: "PATCH",
    path: pathOf`/projects/${projectId}`,
    body: { project: wanted },
    schema: UpdatedResponse,
  });
  expectMatch(operation, [
    [updated.project.id, projectId],
    ...updated.operations.map(({ project_id }) => [project_id, projectId] as const),
  ]);
  return statusOf(projectId, updated.operations);
}

async function readEnv(neon: Neon, projectId: string, database: string) {
  const { proxy_host } = await readProject(neon, projectId);
  const operation = "getConnectionURI";
  const uriOf = async (pooled: "true" | "false") => {
    const { uri } = await neon({
      operation,
      method: "GET",
      path: pathOf`/projects/${projectId}/connection_uri`,
      query: { database_name: database, role_name: ROLE, pooled },
      schema: ConnectionUriResponse,
    });
    return uri;
  };
  const env = neonEnvOf({
    pooledUri: await uriOf("true"),
    unpooledUri: await uriOf("false"),
    proxyHost: proxy_host,
  });
  if (env) return env;
  throw neonError("unknown", operation, "the connection URIs do not belong to the project");
}

async function deprovision(neon: Neon, projectId: string): Promise<void> {
  const operation = "deleteProject";
  try {
    const { project } = await neon({
      operation,
      method: "DELETE",
      path: pathOf`/projects/${projectId}`,
      schema: DeletedResponse,
    });
    expectMatch(operation, [[project.id, projectId]]);
  } catch (error) {
    if (error instanceof VendorError && error.failure === "not_found") return;
    throw error;
  }
}

function databaseOf(config: Readonly<Record<string, unknown>>): string {
  const { database_name } = config;
  return typeof database_name === "string" ? database_name : DATABASE;
}
