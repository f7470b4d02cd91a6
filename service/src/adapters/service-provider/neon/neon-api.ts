import { setTimeout as delay } from "node:timers/promises";
import { type Static, Type } from "typebox";
import type { ProviderAccount } from "../../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../../ports/vendor-error.ts";
import { pathOf, type VendorApi } from "../../http-client/vendor-client.ts";

export const VENDOR = "neon";

// Ids are validated because they are used as path segments and stored in the database.
export const Id = Type.String({ pattern: "^[a-z0-9-]{1,60}$" });
export const Project = Type.Object({
  id: Id,
  name: Type.String(),
  region_id: Type.String(),
  org_id: Type.Optional(Type.String()),
});
const ProjectResponse = Type.Object({
  project: Type.Object({ ...Project.properties, proxy_host: Type.String({ minLength: 1 }) }),
});

/** An error that is not about a call of the API. */
export function neonError(failure: VendorFailure, operation: string, vendorMessage: string): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation, vendorMessage });
}

export async function readProject(neon: VendorApi, projectId: string) {
  const operation = "getProject";
  const { project } = await neon.get(operation, pathOf`/projects/${projectId}`, ProjectResponse);
  neon.expectMatch(operation, [[project.id, projectId]]);
  return project;
}

const AuthResponse = Type.Object({ account_id: Id, auth_method: Type.String() });
const UserResponse = Type.Object({ email: Type.String(), login: Type.Optional(Type.String()) });
const OrganizationsResponse = Type.Object({
  organizations: Type.Array(Type.Object({ id: Id, name: Type.String() })),
});

/**
 * Returns an API key's account. An organization key belongs to one organization. A personal key can access all of the
 * user's organizations, so it is rejected if the user has more than one organization.
 */
export async function identifyNeonAccount(neon: VendorApi): Promise<ProviderAccount> {
  const auth = await neon.get("getAuthDetails", "/auth", AuthResponse);
  // An organization key cannot read a user or the organization's name, so the label is the account id.
  if (auth.auth_method === "api_key_org") {
    return { accountId: auth.account_id, label: auth.account_id };
  }

  const operation = "getCurrentUserOrganizations";
  const { organizations } = await neon.get(operation, "/users/me/organizations", OrganizationsResponse);
  const [organization, second] = organizations;
  if (second !== undefined) {
    const problem = "This key can access several organizations. Create an API key of the organization to link.";
    throw neon.error("refused", operation, problem);
  }
  const { email, login } = await neon.get("getCurrentUserInfo", "/users/me", UserResponse);
  return { accountId: organization?.id ?? null, label: email || login || auth.account_id };
}

/** The delay before each poll of operations. They usually end within two seconds. */
export const POLL_PAUSES_MS = [100, 200, 400, 800, 1_500] as const;
/** More operations than can be unfinished at a time, so one page is enough. */
const OPERATIONS_PER_PAGE = 100;

/**
 * Operations that must end before a project can be used as it was changed. All other operations can also run while the
 * project is in use.
 */
const AWAITED_ACTIONS: ReadonlySet<string> = new Set([
  "create_timeline",
  "create_branch",
  "create_compute",
  "start_compute",
  "apply_config",
]);
const ENDED: ReadonlySet<string> = new Set(["finished", "skipped", "cancelled"]);
const FAILED: ReadonlySet<string> = new Set(["failed", "error"]);

export const Operation = Type.Object({
  id: Id,
  project_id: Id,
  action: Type.String(),
  status: Type.String(),
});
export type Operation = Static<typeof Operation>;

const OperationResponse = Type.Object({ operation: Operation });
const OperationsResponse = Type.Object({ operations: Type.Array(Operation) });

/** Returns the project's newest operations that must end before the project can be used. */
export async function listAwaited(neon: VendorApi, projectId: string): Promise<Operation[]> {
  const operation = "listProjectOperations";
  const query = { limit: String(OPERATIONS_PER_PAGE) };
  const path = pathOf`/projects/${projectId}/operations`;
  const { operations } = await neon.get(operation, path, OperationsResponse, { query });
  const pairs = operations.map(({ project_id }) => [project_id, projectId] as const);
  neon.expectMatch(operation, pairs);
  return operations.filter(isAwaited);
}

export function isAwaited({ action }: Operation): boolean {
  return AWAITED_ACTIONS.has(action);
}

export function hasFailed({ status }: Operation): boolean {
  return FAILED.has(status);
}

export function isUnfinished({ status }: Operation): boolean {
  return !ENDED.has(status) && !FAILED.has(status);
}

/**
 * Waits until these operations of the project have ended. Throws `unavailable` if one of them fails, or does not end in
 * time: the change may not be in effect yet.
 */
export async function awaitOperations(
  neon: VendorApi,
  projectId: string,
  operations: readonly Operation[],
): Promise<void> {
  let left = operations.filter(isAwaited);
  for (const waitMs of [...POLL_PAUSES_MS, null]) {
    const failed = left.find(hasFailed);
    if (failed) throw neonError("unavailable", "awaitOperation", `${failed.action} has failed`);
    left = left.filter(isUnfinished);
    if (left.length === 0) return;
    if (waitMs === null) break;
    await delay(waitMs);
    left = await Promise.all(left.map(({ id }) => readOperation(neon, projectId, id)));
  }
  throw neonError("unavailable", "awaitOperation", "the operations have not ended yet");
}

async function readOperation(neon: VendorApi, projectId: string, id: string): Promise<Operation> {
  const name = "getProjectOperation";
  const { operation } = await neon.get(name, pathOf`/projects/${projectId}/operations/${id}`, OperationResponse);
  neon.expectMatch(name, [
    [operation.id, id],
    [operation.project_id, projectId],
  ]);
  return operation;
}
