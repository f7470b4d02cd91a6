import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { accountOf, authenticate, findOrganization } from "./accounts.ts";
import { ApplyAddonBody, applyAddon, listAddons } from "./addons.ts";
import { supabaseError, supabaseErrors } from "./supabase-errors.ts";

const REGIONS = [
  "us-east-1",
  "us-east-2",
  "us-west-1",
  "us-west-2",
  "ap-east-1",
  "ap-southeast-1",
  "ap-northeast-1",
  "ap-northeast-2",
  "ap-southeast-2",
  "eu-west-1",
  "eu-west-2",
  "eu-west-3",
  "eu-north-1",
  "eu-central-1",
  "eu-central-2",
  "ca-central-1",
  "ap-south-1",
  "sa-east-1",
];

/** The region used for each `smartGroup`. Supabase itself chooses a region with free capacity. */
const REGION_OF_GROUP = {
  americas: "us-east-1",
  emea: "eu-central-1",
  apac: "ap-southeast-1",
} as const;

// `region` is deprecated, but the example in Supabase's OpenAPI description uses it. Other deprecated fields are
// rejected.
const ProjectBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256, pattern: "^[^.]+$" }),
    db_pass: Type.String({ minLength: 4 }),
    organization_slug: Type.String({ pattern: "^[\\w-]+$" }),
    region: Type.Optional(Type.Enum(REGIONS)),
    region_selection: Type.Optional(
      Type.Union([
        Type.Object({ type: Type.Literal("specific"), code: Type.Enum(REGIONS) }, { additionalProperties: false }),
        Type.Object(
          { type: Type.Literal("smartGroup"), code: Type.Enum(["americas", "emea", "apac"]) },
          { additionalProperties: false },
        ),
      ]),
    ),
    desired_instance_size: Type.Optional(Type.Enum(["nano", "micro", "small", "medium", "large", "xlarge", "2xlarge"])),
  },
  { additionalProperties: false },
);

const ADDONS = "/v1/projects/:ref/billing/addons";

export const NoQuery = Type.Object({}, { additionalProperties: false });
export interface Project {
  readonly number: number;
  readonly name: string;
  readonly organizationSlug: string;
  readonly region: string;
  readonly instanceSize: string | null;
  /** RFC 3339 timestamp at which the project's start succeeds or fails. */
  readonly settlesAt: string;
  readonly endsAs: "ACTIVE_HEALTHY" | "INIT_FAILED";
  readonly secret: {
    readonly databasePassword: string;
    readonly keys: readonly ProjectKey[];
  };
}

export interface ProjectKey {
  readonly id: string;
  readonly name: string;
  readonly type: "publishable" | "secret";
  readonly value: string;
}

export type StoredProject = StoredObject<Project>;

/** Routes for projects and their connection pooler. */
export function projectRoutes(options: { readonly readyAfterMs: number }): readonly VendorRoute[] {
  return [
    {
      operation: "v1-create-a-project",
      method: "POST",
      url: "/v1/projects",
      body: ProjectBody,
      query: NoQuery,
      auth: authenticate,
      handle: (request, context) => createProject(request, context, options.readyAfterMs),
    },
    {
      operation: "v1-list-all-projects",
      method: "GET",
      url: "/v1/projects",
      query: NoQuery,
      auth: authenticate,
      handle: async (request, context) => {
        const projects = await projectsOf(accountOf(request), context);
        return { status: 200, body: projects.map(presentWithDatabase) };
      },
    },
    {
      operation: "v1-get-project",
      method: "GET",
      url: "/v1/projects/:ref",
      query: NoQuery,
      auth: authenticate,
      handle: withProject(async (project) => ({ status: 200, body: presentWithDatabase(project) })),
    },
    {
      operation: "v1-delete-a-project",
      method: "DELETE",
      url: "/v1/projects/:ref",
      query: NoQuery,
      auth: authenticate,
      handle: withProject(deleteProject),
    },
    {
      operation: "v1-list-project-addons",
      method: "GET",
      url: ADDONS,
      query: NoQuery,
      auth: authenticate,
      handle: withProject(listAddons),
    },
    {
      operation: "v1-apply-project-addon",
      method: "PATCH",
      url: ADDONS,
      body: ApplyAddonBody,
      query: NoQuery,
      auth: authenticate,
      handle: withProject(
        whenActive((project, request, context) => applyAddon(project, request, context, options.readyAfterMs)),
      ),
    },
    {
      operation: "v1-get-pooler-config",
      method: "GET",
      url: "/v1/projects/:ref/config/database/pooler",
      query: NoQuery,
      auth: authenticate,
      handle: withProject(whenActive(readPooler)),
    },
  ];
}

type ProjectHandler = (
  project: StoredProject,
  request: VendorRequest,
  context: VendorContext,
) => Promise<VendorResponse>;

/**
 * Loads the project whose ID is in the path and calls `handle` with the project. Responds 404 if the project does not
 * exist or belongs to another account.
 */
export function withProject(handle: ProjectHandler): VendorRoute["handle"] {
  return async (request, context) => {
    const found = await context.objects.find<Project>("project", request.params["ref"] ?? "");
    const organization = findOrganization(accountOf(request));
    if (found === undefined || found.data.organizationSlug !== organization?.slug) {
      return supabaseErrors.notFound();
    }
    return handle(await refreshState(found, context), request, context);
  };
}

export function whenActive(handle: ProjectHandler): ProjectHandler {
  return async (project, request, context) =>
    project.state === "ACTIVE_HEALTHY"
      ? handle(project, request, context)
      : supabaseError(400, "The project is not active");
}

/**
 * Returns the project in its current state. The simulator has no timers. If a starting project is read after
 * `settlesAt`, this function therefore stores the project's new state.
 */
async function refreshState(project: StoredProject, context: VendorContext): Promise<StoredProject> {
  const { endsAs, settlesAt } = project.data;
  const isStarting = project.state === "COMING_UP" || project.state === "RESIZING";
  if (!isStarting || Date.parse(settlesAt) > context.now().getTime()) return project;
  await context.objects.update("project", project.id, { state: endsAs });
  return { ...project, state: endsAs };
}

async function projectsOf(account: string, context: VendorContext): Promise<StoredProject[]> {
  const slug = findOrganization(account)?.slug;
  const all = await context.objects.list<Project>("project");
  const own = all.filter(({ data }) => data.organizationSlug === slug);
  return Promise.all(own.map((project) => refreshState(project, context)));
}

function regionOf({ region, region_selection: selection }: Static<typeof ProjectBody>): string {
  if (selection?.type === "specific") return selection.code;
  return region ?? REGION_OF_GROUP[selection?.code ?? "americas"];
}

async function createProject(
  request: VendorRequest,
  context: VendorContext,
  readyAfterMs: number,
): Promise<VendorResponse> {
  const body = request.body as Static<typeof ProjectBody>;
  const account = accountOf(request);
  if (body.region !== undefined && body.region_selection !== undefined) {
    return supabaseError(400, "Only one of region or region_selection can be specified");
  }
  const organization = findOrganization(account);
  if (body.organization_slug !== organization?.slug) return supabaseErrors.notFound();
  if (!organization.canAddProject) {
    return supabaseError(
      400,
      "The following organization members have reached their maximum limits for the number of active free projects " +
        "within organizations where they are an administrator or owner: you (2 project limit).",
    );
  }

  const project: StoredProject = {
    type: "project",
    id: Array.from({ length: 20 }, () => String.fromCharCode(97 + randomInt(26))).join(""),
    state: "COMING_UP",
    createdAt: context.now(),
    data: {
      number: randomInt(1, 1_000_000),
      name: body.name,
      organizationSlug: organization.slug,
      region: regionOf(body),
      instanceSize: body.desired_instance_size ?? null,
      settlesAt: new Date(context.now().getTime() + readyAfterMs).toISOString(),
      endsAs: `${account} ${body.name}`.includes("init-fail") ? "INIT_FAILED" : "ACTIVE_HEALTHY",
      secret: {
        databasePassword: body.db_pass,
        keys: [newKey("publishable", "default"), newKey("secret", "default")],
      },
    },
  };
  await context.objects.insert(project);
  return { status: 201, body: present(project) };
}

async function deleteProject(
  { id: ref, data }: StoredProject,
  _request: VendorRequest,
  context: VendorContext,
): Promise<VendorResponse> {
  await context.objects.remove("project", ref);
  return { status: 200, body: { id: data.number, ref, name: data.name } };
}

export function newKey(type: ProjectKey["type"], name: string): ProjectKey {
  const value = `sb_${type}_${randomBytes(24).toString("base64url")}`;
  return { id: randomUUID(), name, type, value };
}

async function readPooler({ id: ref, data }: StoredProject): Promise<VendorResponse> {
  const host = `aws-0-${data.region}.pooler.supabase.com`;
  const address = `postgresql://postgres.${ref}:[YOUR-PASSWORD]@${host}:6543/postgres`;
  const primary = {
    identifier: ref,
    database_type: "PRIMARY",
    is_using_scram_auth: true,
    db_user: `postgres.${ref}`,
    db_host: host,
    db_port: 6543,
    db_name: "postgres",
    connection_string: address,
    connectionString: address,
    default_pool_size: null,
    max_client_conn: null,
    pool_mode: "transaction",
  };
  return { status: 200, body: [primary] };
}

function present({ id: ref, state, data, createdAt }: StoredProject): object {
  return {
    id: ref,
    ref,
    organization_id: data.organizationSlug,
    organization_slug: data.organizationSlug,
    name: data.name,
    region: data.region,
    created_at: createdAt.toISOString(),
    status: state,
  };
}

function presentWithDatabase(project: StoredProject): object {
  return {
    ...present(project),
    database: {
      host: `db.${project.id}.supabase.co`,
      version: "17.4.1.054",
      postgres_engine: "17",
      release_channel: "ga",
    },
  };
}
