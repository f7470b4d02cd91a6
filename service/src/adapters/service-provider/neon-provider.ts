import { setTimeout as delay } from "node:timers/promises";
import { type Static, type TSchema, Type } from "typebox";
import { NO_RETRY, RETRY_WITHIN_REQUEST } from "../../foundation/retry.ts";
import type {
  ProviderAccess,
  ProviderAccount,
  ProviderResource,
  ProvisionOrder,
  ServiceProvider,
} from "../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import {
  createVendorClient,
  pathOf,
  type VendorCall,
  type VendorClient,
} from "../http-client/vendor-client.ts";
import { neonEnvOf } from "./neon-env.ts";

const VENDOR = "neon";
/** Neon's own defaults. Asked for by name all the same, since `readEnv` has to name them too. */
const DATABASE = "neondb";
const ROLE = "neondb_owner";

/** A project is there within a second or two as a rule: so long it is waited for, and then it is pending. */
const READY_LOOKS_MS = [100, 200, 400, 800, 1_500] as const;
const PENDING = { status: "pending", pollAfterMs: 1_000, expectedSeconds: 5 } as const;

const PROJECTS_PER_PAGE = 100;
const PAGES_MAX = 50;
/** Of a project that nobody has worked with yet: everything that was done to it. */
const OPERATIONS_PER_PAGE = 100;

/** What has to be over before a project can be used. Others come and go while it is in use. */
const SETTING_UP: ReadonlySet<string> = new Set([
  "create_timeline",
  "create_branch",
  "create_compute",
  "start_compute",
  "apply_config",
]);
const OVER: ReadonlySet<string> = new Set(["finished", "skipped", "cancelled"]);
const BROKEN: ReadonlySet<string> = new Set(["failed", "error"]);

// Ids are pathOf's segments and our database's text, so they are held against Neon's own form of them.
const Id = Type.String({ pattern: "^[a-z0-9-]{1,60}$" });
const Project = Type.Object({
  id: Id,
  name: Type.String(),
  region_id: Type.String(),
  org_id: Type.Optional(Type.String()),
});
const ListedProject = Type.Object({ ...Project.properties, created_at: Type.String() });
const Operation = Type.Object({ project_id: Id, action: Type.String(), status: Type.String() });

const CreatedAnswer = Type.Object({
  project: Type.Object({ ...Project.properties, pg_version: Type.Integer() }),
  operations: Type.Array(Operation),
});
const ProjectAnswer = Type.Object({
  project: Type.Object({ ...Project.properties, proxy_host: Type.String({ minLength: 1 }) }),
});
const DeletedAnswer = Type.Object({ project: Type.Object({ id: Id }) });
const OperationsAnswer = Type.Object({ operations: Type.Array(Operation) });
const ProjectsAnswer = Type.Object({
  projects: Type.Array(ListedProject),
  pagination: Type.Optional(Type.Object({ cursor: Type.Optional(Type.String()) })),
  unavailable_project_ids: Type.Optional(Type.Array(Type.String())),
});
const ConnectionUriAnswer = Type.Object({ uri: Type.String({ minLength: 1 }) });
const AuthAnswer = Type.Object({ account_id: Id, auth_method: Type.String() });
const UserAnswer = Type.Object({ email: Type.String(), login: Type.Optional(Type.String()) });
const OrganizationsAnswer = Type.Object({
  organizations: Type.Array(Type.Object({ id: Id, name: Type.String() })),
});

type Operation = Static<typeof Operation>;
type ListedProject = Static<typeof ListedProject>;

export interface NeonProviderOptions {
  /** `https://console.neon.tech/api/v2`. No trailing slash. */
  readonly apiUrl: string;
  readonly sandboxToken?: string | undefined;
  /** Of one call. 10,000 where absent. */
  readonly timeoutMs?: number;
}

/**
 * Neon's projects, each a Postgres of its own, over the Neon API (https://api-docs.neon.tech). Accounts are linked by a
 * pasted API key: Neon registers OAuth apps of partners only. An answer about something else than was asked for is `unknown`.
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
  // Called by sagas, which repeat what failed.
  const client = createVendorClient({ ...common, readRetry: NO_RETRY });
  return {
    provider: VENDOR,
    oauth: null,
    wantsPassword: false,
    canAdopt: true,
    tokenPageUrl: "https://console.neon.tech/app/settings/api-keys",
    sandboxToken,
    identify: (accessToken) => identify(neonOf(requestClient, accessToken)),
    provision: async (access, order) => {
      const neon = neonOf(client, access.accessToken);
      return awaitReady(neon, await create(neon, access, order));
    },
    find: (access, name) => find(neonOf(client, access.accessToken), access, name),
    inspect: (access, projectId) => inspect(neonOf(client, access.accessToken), projectId),
    readEnv: (access, { resourceId, config }) =>
      readEnv(neonOf(client, access.accessToken), resourceId, databaseOf(config)),
    deprovision: (access, projectId) => deprovision(neonOf(client, access.accessToken), projectId),
  };
}

/** One call of Neon's under the caller's key. */
type Neon = <Schema extends TSchema>(
  call: Omit<VendorCall<Schema>, "headers">,
) => Promise<Static<Schema>>;

function neonOf(client: VendorClient, accessToken: string): Neon {
  return (call) => client.call({ ...call, headers: { authorization: `Bearer ${accessToken}` } });
}

function neonError(failure: VendorFailure, operation: string, vendorMessage: string): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation, vendorMessage });
}

/** Refers to what was asked, or is no answer. */
function expectSame(
  operation: string,
  pairs: readonly (readonly [answered: unknown, asked: unknown])[],
): void {
  if (pairs.some(([answered, asked]) => answered !== asked)) {
    throw neonError("unknown", operation, "an answer about something else than was asked for");
  }
}

/**
 * An organization's key opens that organization. A person's key opens every organization they are in, so it names an
 * account only where that is one, or none.
 */
async function identify(neon: Neon): Promise<ProviderAccount> {
  const auth = await neon({
    operation: "getAuthDetails",
    method: "GET",
    path: "/auth",
    schema: AuthAnswer,
  });
  // Neon lets an organization's key see neither a person nor the organization's name.
  if (auth.auth_method === "api_key_org") {
    return { accountId: auth.account_id, label: auth.account_id };
  }

  const operation = "getCurrentUserOrganizations";
  const { organizations } = await neon({
    operation,
    method: "GET",
    path: "/users/me/organizations",
    schema: OrganizationsAnswer,
  });
  const [organization, another] = organizations;
  if (another !== undefined) {
    throw neonError(
      "refused",
      operation,
      "This key opens several organizations. Make an API key of the one organization to link.",
    );
  }
  const { email, login } = await neon({
    operation: "getCurrentUserInfo",
    method: "GET",
    path: "/users/me",
    schema: UserAnswer,
  });
  return { accountId: organization?.id ?? null, label: email || login || auth.account_id };
}

async function create(
  neon: Neon,
  access: ProviderAccess,
  order: ProvisionOrder,
): Promise<ProviderResource> {
  const operation = "createProject";
  const pgVersion = order.config["pg_version"];
  const { project, operations } = await neon({
    operation,
    method: "POST",
    path: "/projects",
    // The plan is not sent: Neon sells it to the organization.
    body: {
      project: {
        name: order.resourceName,
        region_id: order.region,
        branch: { database_name: databaseOf(order.config), role_name: ROLE },
        ...(pgVersion === undefined ? {} : { pg_version: pgVersion }),
        ...(access.accountId === null ? {} : { org_id: access.accountId }),
      },
    },
    schema: CreatedAnswer,
  });
  expectSame(operation, [
    [project.name, order.resourceName],
    [project.region_id, order.region],
    [project.pg_version, pgVersion ?? project.pg_version],
    [project.org_id, access.accountId ?? project.org_id],
    ...operations.map(({ project_id }) => [project_id, project.id] as const),
  ]);
  return standingOf(project.id, operations);
}

/** Looks a few times whether a new project has come up. It is there already, so that no failure to look is one to make it. */
async function awaitReady(neon: Neon, created: ProviderResource): Promise<ProviderResource> {
  let resource = created;
  try {
    for (const waitMs of READY_LOOKS_MS) {
      if (resource.status !== "pending") break;
      await delay(waitMs);
      resource = await readStanding(neon, resource.resourceId);
    }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
  }
  return resource;
}

async function readStanding(neon: Neon, projectId: string): Promise<ProviderResource> {
  const operation = "listProjectOperations";
  const { operations } = await neon({
    operation,
    method: "GET",
    path: pathOf`/projects/${projectId}/operations`,
    query: { limit: String(OPERATIONS_PER_PAGE) },
    schema: OperationsAnswer,
  });
  expectSame(
    operation,
    operations.map(({ project_id }) => [project_id, projectId] as const),
  );
  return standingOf(projectId, operations);
}

function standingOf(resourceId: string, operations: readonly Operation[]): ProviderResource {
  const settingUp = operations.filter(({ action }) => SETTING_UP.has(action));
  const broken = settingUp.find(({ status }) => BROKEN.has(status));
  if (broken) return { status: "failed", resourceId, reason: `${broken.action} ${broken.status}` };
  return settingUp.every(({ status }) => OVER.has(status))
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
    const answer = await neon({
      operation,
      method: "GET",
      path: "/projects",
      query: {
        search: name,
        limit: String(PROJECTS_PER_PAGE),
        cursor,
        org_id: access.accountId ?? undefined,
      },
      schema: ProjectsAnswer,
    });
    // The search finds parts of names and ids, too.
    named.push(...answer.projects.filter((project) => isOurs(project, name, access.accountId)));
    unavailable += answer.unavailable_project_ids?.length ?? 0;
    cursor = answer.pagination?.cursor;
    // Neon gives a cursor with its last page, too.
    if (cursor === undefined || answer.projects.length === 0) {
      return standingOfNamed(neon, named, unavailable);
    }
  }
  throw neonError("unknown", operation, "more pages than are read");
}

function isOurs(project: ListedProject, name: string, accountId: string | null): boolean {
  return project.name === name && (accountId === null || project.org_id === accountId);
}

async function standingOfNamed(
  neon: Neon,
  named: readonly ListedProject[],
  unavailable: number,
): Promise<ProviderResource | undefined> {
  // Names are not unique at Neon. The oldest is the same one whenever this is asked.
  const [oldest] = named.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  if (oldest) return readStanding(neon, oldest.id);
  if (unavailable === 0) return undefined;
  throw neonError("unavailable", "listProjects", `${unavailable} projects could not be listed`);
}

async function inspect(neon: Neon, projectId: string): Promise<ProviderResource> {
  await readProject(neon, projectId);
  return readStanding(neon, projectId);
}

async function readProject(neon: Neon, projectId: string) {
  const operation = "getProject";
  const { project } = await neon({
    operation,
    method: "GET",
    path: pathOf`/projects/${projectId}`,
    schema: ProjectAnswer,
  });
  expectSame(operation, [[project.id, projectId]]);
  return project;
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
      schema: ConnectionUriAnswer,
    });
    return uri;
  };
  const env = neonEnvOf({
    pooledUri: await uriOf("true"),
    unpooledUri: await uriOf("false"),
    proxyHost: proxy_host,
  });
  if (env) return env;
  throw neonError("unknown", operation, "addresses that are not the project's");
}

async function deprovision(neon: Neon, projectId: string): Promise<void> {
  const operation = "deleteProject";
  try {
    const { project } = await neon({
      operation,
      method: "DELETE",
      path: pathOf`/projects/${projectId}`,
      schema: DeletedAnswer,
    });
    expectSame(operation, [[project.id, projectId]]);
  } catch (error) {
    if (error instanceof VendorError && error.failure === "not_found") return;
    throw error;
  }
}

function databaseOf(config: Readonly<Record<string, unknown>>): string {
  const { database_name } = config;
  return typeof database_name === "string" ? database_name : DATABASE;
}
