import { randomUUID } from "node:crypto";
import { type Static, Type } from "typebox";
import type { VendorContext, VendorRoute } from "../kit/vendor-simulator.ts";
import { authenticate } from "./neon-accounts.ts";
import { neonError } from "./neon-errors.ts";
import { type NeonProject, newPassword, PROJECT, passwordOf } from "./neon-projects.ts";
import { presentBranch, presentOperation } from "./present-project.ts";
import { withProject } from "./with-project.ts";

const BRANCHES = "/api/v2/projects/:project_id/branches";
const ROLES = `${BRANCHES}/:branch_id/roles`;
const CLOSED = { additionalProperties: false };

const CreateRoleBody = Type.Object(
  { role: Type.Object({ name: Type.String({ minLength: 1, maxLength: 63 }) }, CLOSED) },
  CLOSED,
);

/** Routes for the only branch of a project and its roles, which are logins of a Postgres server. */
export const roleRoutes: readonly VendorRoute[] = [
  {
    operation: "listProjectBranches",
    method: "GET",
    url: BRANCHES,
    auth: authenticate,
    handle: withProject(async (project) => ({
      status: 200,
      body: { branches: [presentBranch(project)], annotations: {} },
    })),
  },
  {
    operation: "listProjectBranchRoles",
    method: "GET",
    url: ROLES,
    auth: authenticate,
    handle: withBranch(async (project) => {
      const { roleName, secret } = project.data;
      const names = [roleName, ...Object.keys(secret.passwords ?? {})];
      return { status: 200, body: { roles: names.map((name) => presentRole(project, name)) } };
    }),
  },
  {
    operation: "createProjectBranchRole",
    method: "POST",
    url: ROLES,
    body: CreateRoleBody,
    auth: authenticate,
    handle: withBranch(async (project, { body }, context) => {
      // The body was validated against this schema before `handle` was called.
      const { name } = (body as Static<typeof CreateRoleBody>).role;
      if (passwordOf(project, name) !== undefined) return neonError(409, "role already exists");
      return { status: 201, body: await changePassword(context, project, name) };
    }),
  },
  {
    operation: "resetProjectBranchRolePassword",
    method: "POST",
    url: `${ROLES}/:role_name/reset_password`,
    auth: authenticate,
    handle: withBranch(async (project, { params }, context) => {
      const name = params["role_name"] ?? "";
      if (passwordOf(project, name) === undefined) return neonError(404, "role not found");
      return { status: 200, body: await changePassword(context, project, name) };
    }),
  },
];

function withBranch(work: Parameters<typeof withProject>[0]): VendorRoute["handle"] {
  return withProject(async (project, request, context) =>
    request.params["branch_id"] === presentBranch(project).id
      ? work(project, request, context)
      : neonError(404, "branch not found"),
  );
}

/**
 * Gives the role a new password, and creates the role if it does not exist. The database knows the password only when the
 * returned operation has ended.
 */
async function changePassword({ objects }: VendorContext, project: NeonProject, name: string): Promise<object> {
  const password = newPassword();
  const { roleName, secret, operations } = project.data;
  const changed =
    name === roleName ? { ...secret, password } : { ...secret, passwords: { ...secret.passwords, [name]: password } };
  const pending = { role: name, readsLeft: 1 };
  const operation = { id: randomUUID(), action: "apply_config", pending };
  const data = { ...project.data, secret: changed, operations: [...operations, operation] };
  await objects.update(PROJECT, project.id, { data });
  return {
    role: { ...presentRole(project, name), password },
    operations: [presentOperation(project, operation)],
  };
}

function presentRole({ createdAt, ...project }: NeonProject, name: string) {
  const time = createdAt.toISOString();
  const branch = presentBranch({ createdAt, ...project });
  return { branch_id: branch.id, name, protected: false, created_at: time, updated_at: time };
}
