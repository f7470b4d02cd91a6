import { Type } from "typebox";
import type {
  CredentialRotation,
  ProviderEnv,
  RotatedCredentials,
} from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { pathOf } from "../http-client/vendor-client.ts";
import type { Neon } from "./call-neon.ts";
import { neonEnvOf } from "./neon-env.ts";
import { endLogin, shareTables } from "./neon-postgres.ts";
import { expectMatch, Id, neonError, readProject } from "./neon-project.ts";

/**
 * Neon's default names for a project's database and role. A new project is created with these names, so that
 * `readNeonEnv` can rely on them.
 */
const DATABASE = "neondb";
export const ROLE = "neondb_owner";
/** The login that is used in turn with `ROLE`. */
const SECOND_ROLE = "neondb_second";

const ConnectionUriResponse = Type.Object({ uri: Type.String({ minLength: 1 }) });
const BranchesResponse = Type.Object({
  branches: Type.Array(Type.Object({ id: Id, project_id: Id, default: Type.Boolean() })),
});
const Role = Type.Object({ name: Type.String() });
const RolesResponse = Type.Object({ roles: Type.Array(Role) });
const RoleResponse = Type.Object({ role: Role });

interface Resource {
  readonly resourceId: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export function readNeonEnv(
  neon: Neon,
  { resourceId, config }: Resource,
  role = ROLE,
): Promise<ProviderEnv> {
  return readEnv(neon, resourceId, { database: databaseOf(config), role });
}

/**
 * Issues the credentials of the other one of two logins, and lets it change the tables of the first. The other login's
 * password is new: it has never been used, or was reset when the login was retired.
 */
export async function rotateLogin(
  neon: Neon,
  domain: string,
  { env: former, ...resource }: CredentialRotation,
): Promise<RotatedCredentials> {
  const { resourceId: projectId } = resource;
  const branchId = await findBranch(neon, projectId);
  const formerRole = await roleOf(neon, resource, former);
  const role = formerRole === ROLE ? SECOND_ROLE : ROLE;
  await createRoleOnce(neon, `/projects/${projectId}/branches/${branchId}/roles`, role);
  const env = await readNeonEnv(neon, resource, role);
  // Read again, because a user may have reset the former login's password in Neon's console.
  await shareTables(domain, { former: await readNeonEnv(neon, resource, formerRole), next: env });
  return { env, mode: "overlap" };
}

/**
 * Resets the former login's password, and ends its connections. The login is not dropped, because Neon refuses to drop a
 * role that owns something. The connections are ended as the former login itself with its new password, which is never
 * issued, so that a repeated attempt ends them too.
 */
export async function retireLogin(
  neon: Neon,
  domain: string,
  { former, ...resource }: Resource & { readonly former: ProviderEnv },
): Promise<void> {
  const { resourceId: projectId } = resource;
  const role = await roleOf(neon, resource, former);
  const branchId = await findBranch(neon, projectId);
  const operation = "resetProjectBranchRolePassword";
  const reset = await neon({
    operation,
    method: "POST",
    path: pathOf`/projects/${projectId}/branches/${branchId}/roles/${role}/reset_password`,
    schema: RoleResponse,
  });
  expectMatch(operation, [[reset.role.name, role]]);
  await endLogin(domain, await readNeonEnv(neon, resource, role));
}

/** Returns which of the two logins the variables are for. */
async function roleOf(neon: Neon, resource: Resource, env: ProviderEnv): Promise<string> {
  const first = await readNeonEnv(neon, resource);
  return env["PGUSER"] === first["PGUSER"] ? ROLE : SECOND_ROLE;
}

async function findBranch(neon: Neon, projectId: string): Promise<string> {
  const operation = "listProjectBranches";
  const { branches } = await neon({
    operation,
    method: "GET",
    path: pathOf`/projects/${projectId}/branches`,
    schema: BranchesResponse,
  });
  const branch = branches.find((candidate) => candidate.default);
  if (branch?.project_id === projectId) return branch.id;
  throw neonError("unknown", operation, "the project has no default branch");
}

/** Creates a role unless it exists. `path` lists the roles of a branch. */
async function createRoleOnce(neon: Neon, path: string, name: string): Promise<void> {
  if (await hasRole(neon, path, name)) return;
  const operation = "createProjectBranchRole";
  const body = { role: { name } };
  try {
    const created = await neon({ operation, method: "POST", path, body, schema: RoleResponse });
    expectMatch(operation, [[created.role.name, name]]);
  } catch (error) {
    // Neon may have refused the call because an earlier one has created the role meanwhile.
    const isRefused = error instanceof VendorError && error.failure === "refused";
    if (!isRefused || !(await hasRole(neon, path, name))) throw error;
  }
}

async function hasRole(neon: Neon, path: string, name: string): Promise<boolean> {
  const { roles } = await neon({
    operation: "listProjectBranchRoles",
    method: "GET",
    path,
    schema: RolesResponse,
  });
  return roles.some((role) => role.name === name);
}

async function readEnv(
  neon: Neon,
  projectId: string,
  { database, role }: { readonly database: string; readonly role: string },
): Promise<ProviderEnv> {
  const { proxy_host } = await readProject(neon, projectId);
  const operation = "getConnectionURI";
  const uriOf = async (pooled: "true" | "false") => {
    const { uri } = await neon({
      operation,
      method: "GET",
      path: pathOf`/projects/${projectId}/connection_uri`,
      query: { database_name: database, role_name: role, pooled },
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

export function databaseOf(config: Readonly<Record<string, unknown>>): string {
  const { database_name } = config;
  return typeof database_name === "string" ? database_name : DATABASE;
}
