import { Type } from "typebox";
import type { CredentialRotation, ProviderEnv, RotatedCredentials } from "../../../ports/service-provider.ts";
import { isFailure } from "../../../ports/vendor-error.ts";
import { pathOf, type VendorApi } from "../../http-client/vendor-client.ts";
import { awaitOperations, Id, isUnfinished, listAwaited, Operation, readProject } from "./neon-api.ts";
import { neonEnvOf } from "./neon-env.ts";
import { endLogin, shareTables } from "./neon-postgres.ts";

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
const RoleResponse = Type.Object({ role: Role, operations: Type.Array(Operation) });

interface Resource {
  readonly resourceId: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Issues the credentials of the other one of two logins, and lets it change the tables of the first. The other login's
 * password is new: it has never been used, or was reset when the login was retired.
 */
export async function rotateLogin(
  neon: VendorApi,
  domain: string,
  { env: former, ...resource }: CredentialRotation,
): Promise<RotatedCredentials> {
  const { resourceId: projectId } = resource;
  const branchId = await findBranch(neon, projectId);
  const first = await readNeonEnv(neon, resource);
  const formerRole = roleOf(first, former);
  const role = formerRole === ROLE ? SECOND_ROLE : ROLE;
  await createRoleOnce(neon, { projectId, branchId, name: role });
  const env = await readNeonEnv(neon, resource, role);
  // Read again, because a user may have reset the former login's password in Neon's console.
  const current = await readNeonEnv(neon, resource, formerRole);
  await shareTables(domain, groupOf(first), { former: current, next: env });
  return { env, mode: "overlap" };
}

/**
 * Resets the former login's password, and ends its connections. The login is not dropped, because Neon refuses to drop a
 * role that owns something. The connections are ended as the former login itself with its new password, which is never
 * issued, so that a repeated attempt ends them too.
 */
export async function retireLogin(
  neon: VendorApi,
  domain: string,
  { former, ...resource }: Resource & { readonly former: ProviderEnv },
): Promise<void> {
  const { resourceId: projectId } = resource;
  const first = await readNeonEnv(neon, resource);
  const role = roleOf(first, former);
  const branchId = await findBranch(neon, projectId);
  const operation = "resetProjectBranchRolePassword";
  const path = pathOf`/projects/${projectId}/branches/${branchId}/roles/${role}/reset_password`;
  const reset = await neon.post(operation, path, RoleResponse);
  neon.expectMatch(operation, [[reset.role.name, role]]);
  await awaitOperations(neon, projectId, reset.operations);
  await endLogin(domain, groupOf(first), await readNeonEnv(neon, resource, role));
}

/** Returns which of the two logins the variables are for. `first` are those of `ROLE`. */
function roleOf(first: ProviderEnv, env: ProviderEnv): string {
  return env["PGUSER"] === first["PGUSER"] ? ROLE : SECOND_ROLE;
}

/**
 * Returns the role that owns the tables of both logins. Its name is fixed. It cannot be found as the owner of the
 * database, because Neon makes `ROLE` the owner again each time that it applies its settings.
 */
function groupOf(first: ProviderEnv): string {
  return `${first["PGUSER"]}_group`;
}

async function findBranch(neon: VendorApi, projectId: string): Promise<string> {
  const operation = "listProjectBranches";
  const { branches } = await neon.get(operation, pathOf`/projects/${projectId}/branches`, BranchesResponse);
  const branch = branches.find((candidate) => candidate.default);
  if (branch?.project_id === projectId) return branch.id;
  throw neon.error("unknown", operation, "the project has no default branch");
}

interface BranchRole {
  readonly projectId: string;
  readonly branchId: string;
  readonly name: string;
}

/** Creates a role unless it exists, and waits until the database knows it. */
async function createRoleOnce(neon: VendorApi, role: BranchRole): Promise<void> {
  const { projectId } = role;
  // If the role exists, the operation of an earlier call may still be running.
  const created = (await hasRole(neon, role)) ? undefined : await createRole(neon, role);
  const operations = created ?? (await listAwaited(neon, projectId)).filter(isUnfinished);
  await awaitOperations(neon, projectId, operations);
}

/** Returns the operations that create the role. Undefined if the role exists. */
async function createRole(neon: VendorApi, role: BranchRole): Promise<Operation[] | undefined> {
  const { name } = role;
  const operation = "createProjectBranchRole";
  try {
    const created = await neon.post(operation, pathOfRoles(role), RoleResponse, { body: { role: { name } } });
    neon.expectMatch(operation, [[created.role.name, name]]);
    return created.operations;
  } catch (error) {
    // Neon may have refused the call because an earlier one has created the role meanwhile.
    if (!isFailure(error, "refused") || !(await hasRole(neon, role))) throw error;
    return undefined;
  }
}

async function hasRole(neon: VendorApi, role: BranchRole): Promise<boolean> {
  const { roles } = await neon.get("listProjectBranchRoles", pathOfRoles(role), RolesResponse);
  return roles.some(({ name }) => name === role.name);
}

function pathOfRoles({ projectId, branchId }: BranchRole): string {
  return pathOf`/projects/${projectId}/branches/${branchId}/roles`;
}

export async function readNeonEnv(
  neon: VendorApi,
  { resourceId: projectId, config }: Resource,
  role = ROLE,
): Promise<ProviderEnv> {
  const { proxy_host } = await readProject(neon, projectId);
  const operation = "getConnectionURI";
  const uriOf = async (pooled: "true" | "false") => {
    const query = { database_name: databaseOf(config), role_name: role, pooled };
    const path = pathOf`/projects/${projectId}/connection_uri`;
    return (await neon.get(operation, path, ConnectionUriResponse, { query })).uri;
  };
  const env = neonEnvOf({
    pooledUri: await uriOf("true"),
    unpooledUri: await uriOf("false"),
    proxyHost: proxy_host,
  });
  if (env) return env;
  throw neon.error("unknown", operation, "the connection URIs do not belong to the project");
}

export function databaseOf(config: Readonly<Record<string, unknown>>): string {
  const { database_name } = config;
  return typeof database_name === "string" ? database_name : DATABASE;
}
