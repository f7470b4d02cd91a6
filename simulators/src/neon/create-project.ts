import { type Static, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorResponse } from "../kit/vendor-simulator.ts";
import { accountOf, resolveOwner } from "./neon-accounts.ts";
import { projectsLimitExceeded } from "./neon-errors.ts";
import { createDatabase } from "./neon-postgres.ts";
import {
  databaseTarget,
  newOperations,
  newPassword,
  newProjectId,
  PROJECT,
  type ProjectData,
  REGIONS,
} from "./neon-projects.ts";
import { presentCreatedProject } from "./present-project.ts";

/** If a project name contains this text, creating the project fails with a project limit error. */
export const QUOTA_MARK = "quota";

const PgName = Type.String({ minLength: 1, maxLength: 63 });

/** The request fields that the simulator supports. Other fields, such as `settings`, are rejected. */
export const CreateProjectBody = Type.Object(
  {
    project: Type.Object(
      {
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
        region_id: Type.Optional(Type.Enum([...REGIONS])),
        pg_version: Type.Optional(Type.Integer({ minimum: 14, maximum: 18 })),
        org_id: Type.Optional(Type.String({ pattern: "^[a-z0-9-]{1,60}$" })),
        store_passwords: Type.Optional(Type.Literal(true)),
        branch: Type.Optional(
          Type.Object(
            {
              name: Type.Optional(Type.String({ maxLength: 256 })),
              role_name: Type.Optional(PgName),
              database_name: Type.Optional(PgName),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
type CreateProjectBody = Static<typeof CreateProjectBody>;

/**
 * Creates a Neon project. The project is stored after its database is created, so every listed project accepts
 * connections.
 */
export async function createProject(
  request: VendorRequest,
  context: VendorContext,
  adminUrl: string,
): Promise<VendorResponse> {
  // The body was validated against this schema before `handle` was called.
  const { project: requested } = request.body as CreateProjectBody;
  const account = accountOf(request);
  const ownerId = resolveOwner(account, requested.org_id);
  if (typeof ownerId !== "string") return ownerId;
  if (!account.canAddProject || requested.name?.includes(QUOTA_MARK)) return projectsLimitExceeded();

  const id = newProjectId();
  const data = projectData(requested, id, ownerId);
  await createDatabase(adminUrl, {
    ...databaseTarget({ id, data }),
    password: data.secret.password,
  });
  await context.objects.insert({ type: PROJECT, id, state: "ready", data });
  const project = { type: PROJECT, id, state: "ready", data, createdAt: context.now() };
  return { status: 201, body: presentCreatedProject(project, adminUrl) };
}

/** Returns the project's data, with Neon's defaults for missing fields. */
function projectData(
  { name, region_id, pg_version, branch }: CreateProjectBody["project"],
  id: string,
  ownerId: string,
): ProjectData {
  const databaseName = branch?.database_name ?? "neondb";
  return {
    ownerId,
    name: name ?? id,
    regionId: region_id ?? "aws-us-east-2",
    pgVersion: pg_version ?? 17,
    databaseName,
    roleName: branch?.role_name ?? `${databaseName}_owner`,
    operations: newOperations(),
    settings: {},
    secret: { password: newPassword() },
  };
}
