import { type Static, Type } from "typebox";
import type { VendorAnswer, VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { accountOf, ownerOf } from "./neon-accounts.ts";
import { createdProject } from "./neon-answers.ts";
import { projectsLimitExceeded } from "./neon-errors.ts";
import { createPlace } from "./neon-postgres.ts";
import {
  newOperations,
  newPassword,
  newProjectId,
  PROJECT,
  type ProjectData,
  placeOf,
  REGIONS,
} from "./neon-projects.ts";

/** In a project's name: it is refused as one too many. */
export const QUOTA_MARK = "quota";

const PgName = Type.String({ minLength: 1, maxLength: 63 });

/** What Neon takes with a new project, without its settings, which are not played here and so are refused. */
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

/** Makes the project, and first what it stands for: whoever sees the project can connect to it. */
export async function createProject(
  request: VendorRequest,
  context: VendorContext,
  adminUrl: string,
): Promise<VendorAnswer> {
  // The kit has held the body against the schema above.
  const { project: asked } = request.body as CreateProjectBody;
  const account = accountOf(request);
  const ownerId = ownerOf(account, asked.org_id);
  if (typeof ownerId !== "string") return ownerId;
  if (!account.hasRoom || asked.name?.includes(QUOTA_MARK)) return projectsLimitExceeded();

  const id = newProjectId();
  const data = projectData(asked, id, ownerId);
  await createPlace(adminUrl, { ...placeOf({ id, data }), password: data.secret.password });
  await context.objects.insert({ type: PROJECT, id, state: "ready", data });
  const project = { type: PROJECT, id, state: "ready", data, createdAt: context.now() };
  return { status: 201, body: createdProject(project, adminUrl) };
}

/** What was left open is filled with Neon's own defaults. */
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
    secret: { password: newPassword() },
  };
}
