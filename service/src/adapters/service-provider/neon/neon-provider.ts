import { setTimeout as delay } from "node:timers/promises";
import { type Static, Type } from "typebox";
import type {
  NamedResource,
  ProviderAccess,
  ProviderResource,
  ProvisionRequest,
  ServiceProvider,
} from "../../../ports/service-provider.ts";
import { unlessMissing, VendorError } from "../../../ports/vendor-error.ts";
import { bearer, createProviderClients, pathOf, type VendorApi, vendorApi } from "../../http-client/vendor-client.ts";
import catalogEntry from "./catalog.json" with { type: "json" };
import {
  hasFailed,
  Id,
  identifyNeonAccount,
  isAwaited,
  isUnfinished,
  listAwaited,
  Operation,
  POLL_PAUSES_MS,
  Project,
  readProject,
  VENDOR,
} from "./neon-api.ts";
import { databaseOf, ROLE, readNeonEnv, retireLogin, rotateLogin } from "./neon-credentials.ts";
import { hasNeonSettings, neonSettingsOf } from "./neon-plan.ts";
import { canConnect } from "./neon-postgres.ts";
import { readNeonUsage } from "./neon-usage.ts";

const PENDING = { status: "pending", pollAfterMs: 1_000, expectedSeconds: 5 } as const;

const PROJECTS_PER_PAGE = 100;
const PAGES_MAX = 50;

const ListedProject = Type.Object({ ...Project.properties, created_at: Type.String() });

const CreatedResponse = Type.Object({
  project: Type.Object({ ...Project.properties, pg_version: Type.Integer() }),
  operations: Type.Array(Operation),
});
const UpdatedResponse = Type.Object({
  project: Type.Object({ id: Id }),
  operations: Type.Array(Operation),
});
const DeletedResponse = Type.Object({ project: Type.Object({ id: Id }) });
const ProjectsResponse = Type.Object({
  projects: Type.Array(ListedProject),
  pagination: Type.Optional(Type.Object({ cursor: Type.Optional(Type.String()) })),
  unavailable_project_ids: Type.Optional(Type.Array(Type.String())),
});
type ListedProject = Static<typeof ListedProject>;

export interface NeonProviderOptions {
  /** `https://console.neon.tech/api/v2`, or the simulator's URL. No trailing slash. */
  readonly apiUrl: string;
  readonly sandboxToken?: string | undefined;
  readonly timeoutMs?: number;
}

/**
 * Neon (https://api-docs.neon.tech). A service is a Neon project with its own Postgres. Accounts are linked with a
 * pasted API key, because Neon offers OAuth apps to partners only.
 */
export function createNeonProvider({ apiUrl, sandboxToken, timeoutMs }: NeonProviderOptions): ServiceProvider {
  const { requestClient, client } = createProviderClients({ vendor: VENDOR, baseUrl: apiUrl, timeoutMs });
  // Compute hosts are in the domain of the API: `neon.tech`.
  const domain = new URL(apiUrl).hostname.replace(/^console\./, "");
  const apiOf = ({ accessToken }: ProviderAccess) => vendorApi(client, bearer(accessToken));
  return {
    provider: VENDOR,
    oauth: null,
    needsPassword: false,
    isRotationIdempotent: true,
    canAdopt: true,
    catalogEntry,
    tokenPageUrl: "https://console.neon.tech/app/settings/api-keys",
    sandboxToken,
    identify: (accessToken) => identifyNeonAccount(vendorApi(requestClient, bearer(accessToken))),
    provision: async (access, order) => {
      const neon = apiOf(access);
      return awaitReady(neon, await create(neon, access, order));
    },
    find: (access, name) => find(apiOf(access), access, name),
    list: (access, prefix) => list(apiOf(access), access, prefix),
    inspect: (access, projectId) => inspect(apiOf(access), projectId),
    readEnv: (access, resource) => readNeonEnv(apiOf(access), resource),
    rotate: (access, rotation) => rotateLogin(apiOf(access), domain, rotation),
    retire: (access, credentials) => retireLogin(apiOf(access), domain, credentials),
    checkEnv: (env) => canConnect(domain, env),
    readUsage: (access, request) => readNeonUsage(apiOf(access), access, request),
    changePlan: async (access, change) => {
      const neon = apiOf(access);
      return awaitReady(neon, await changePlan(neon, change));
    },
    deprovision: (access, projectId) => unlessMissing(deprovision(apiOf(access), projectId)),
  };
}

async function create(neon: VendorApi, access: ProviderAccess, order: ProvisionRequest): Promise<ProviderResource> {
  const operation = "createProject";
  const pgVersion = order.config["pg_version"];
  const { project, operations } = await neon.post(operation, "/projects", CreatedResponse, {
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
  });
  neon.expectMatch(operation, [
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
async function awaitReady(neon: VendorApi, created: ProviderResource): Promise<ProviderResource> {
  let resource = created;
  try {
    for (const waitMs of POLL_PAUSES_MS) {
      if (resource.status !== "pending") break;
      await delay(waitMs);
      resource = await readStatus(neon, resource.resourceId);
    }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
  }
  return resource;
}

async function readStatus(neon: VendorApi, projectId: string): Promise<ProviderResource> {
  return statusOf(projectId, await listAwaited(neon, projectId));
}

function statusOf(resourceId: string, operations: readonly Operation[]): ProviderResource {
  const awaited = operations.filter(isAwaited);
  const failed = awaited.find(hasFailed);
  if (failed) return { status: "failed", resourceId, reason: `${failed.action} ${failed.status}` };
  return awaited.some(isUnfinished) ? { ...PENDING, resourceId } : { status: "ready", resourceId };
}

async function find(neon: VendorApi, access: ProviderAccess, name: string): Promise<ProviderResource | undefined> {
  const { projects, unavailable } = await searchProjects(neon, access, name);
  // Neon allows duplicate names. The oldest project is chosen so that every call returns the same one.
  const [oldest] = projects
    .filter((project) => project.name === name)
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  if (oldest) return readStatus(neon, oldest.id);
  requireComplete(neon, unavailable);
  return undefined;
}

async function list(neon: VendorApi, access: ProviderAccess, prefix: string): Promise<readonly NamedResource[]> {
  const { projects, unavailable } = await searchProjects(neon, access, prefix);
  requireComplete(neon, unavailable);
  return projects.filter(({ name }) => name.startsWith(prefix)).map(({ id, name }) => ({ resourceId: id, name }));
}

/** Returns the account's projects whose name or id contains `search`, and how many could not be listed. */
async function searchProjects(
  neon: VendorApi,
  { accountId }: ProviderAccess,
  search: string,
): Promise<{ readonly projects: readonly ListedProject[]; readonly unavailable: number }> {
  const operation = "listProjects";
  const found: ListedProject[] = [];
  let unavailable = 0;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { search, limit: String(PROJECTS_PER_PAGE), cursor, org_id: accountId ?? undefined };
    const listed = await neon.get(operation, "/projects", ProjectsResponse, { query });
    const { projects, pagination, unavailable_project_ids } = listed;
    found.push(...projects.filter(({ org_id }) => accountId === null || org_id === accountId));
    unavailable += unavailable_project_ids?.length ?? 0;
    cursor = pagination?.cursor;
    // Neon returns a cursor with the last page too, so an empty page ends the list.
    if (cursor === undefined || projects.length === 0) return { projects: found, unavailable };
  }
  throw neon.error("unknown", operation, "the list has too many pages");
}

function requireComplete(neon: VendorApi, unavailable: number): void {
  if (unavailable === 0) return;
  throw neon.error("unavailable", "listProjects", `${unavailable} projects could not be listed`);
}

async function inspect(neon: VendorApi, projectId: string): Promise<ProviderResource> {
  await readProject(neon, projectId);
  return readStatus(neon, projectId);
}

/** Changes the project's settings to those of the plan. Does nothing if the project has them already. */
async function changePlan(
  neon: VendorApi,
  { resourceId: projectId, plan, from }: Parameters<NonNullable<ServiceProvider["changePlan"]>>[1],
): Promise<ProviderResource> {
  const wanted = neonSettingsOf(plan);
  const project = await readProject(neon, projectId);
  const isOther = from !== undefined && !hasNeonSettings(project, neonSettingsOf(from));
  if (isOther || hasNeonSettings(project, wanted)) return readStatus(neon, projectId);
  const operation = "updateProject";
  const body = { project: wanted };
  const updated = await neon.patch(operation, pathOf`/projects/${projectId}`, UpdatedResponse, { body });
  neon.expectMatch(operation, [
    [updated.project.id, projectId],
    ...updated.operations.map(({ project_id }) => [project_id, projectId] as const),
  ]);
  return statusOf(projectId, updated.operations);
}

async function deprovision(neon: VendorApi, projectId: string): Promise<void> {
  const operation = "deleteProject";
  const { project } = await neon.delete(operation, pathOf`/projects/${projectId}`, DeletedResponse);
  neon.expectMatch(operation, [[project.id, projectId]]);
}
