import { type Static, Type } from "typebox";
import { type Clock, systemClock } from "../../../foundation/clock.ts";
import type {
  NamedResource,
  ProviderAccess,
  ProviderAccount,
  ProviderResource,
  ProvisionRequest,
  ServiceProvider,
} from "../../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../../ports/vendor-error.ts";
import { createProviderClients, pathOf, type VendorClient } from "../../http-client/vendor-client.ts";
import catalogEntry from "./catalog.json" with { type: "json" };
import {
  bearer,
  Ref,
  readSupabaseEnv,
  retireCredentials,
  rotateCredentials,
  VENDOR,
  vendorError,
} from "./supabase-credentials.ts";
import { createSupabaseOAuth, type SupabaseApp } from "./supabase-oauth.ts";
import { changeSupabasePlan } from "./supabase-plan.ts";

const TOKEN_PAGE_URL = "https://supabase.com/dashboard/account/tokens";
const POLL_AFTER_MS = 2_000;
const EXPECTED_SECONDS = 120;
const LABEL_LENGTH_MAX = 200;

/** A project in one of these states does not become ready by itself. */
const FAILED_STATES: ReadonlySet<string> = new Set(["INIT_FAILED", "RESTORE_FAILED", "GOING_DOWN", "REMOVED"]);

const Slug = Type.String({ pattern: "^[\\w-]{1,128}$" });
const Organization = Type.Object({ slug: Slug, name: Type.String() });
const Project = Type.Object({
  ref: Ref,
  name: Type.String(),
  organization_slug: Slug,
  region: Type.String(),
  created_at: Type.String(),
  status: Type.String({ pattern: "^[A-Z_]{1,64}$" }),
});
const Deleted = Type.Object({ ref: Ref });
export interface SupabaseOptions {
  /** `https://api.supabase.com`, or the simulator's URL. */
  readonly apiUrl: string;
  /** The OAuth app that the operator has registered. If null, accounts are linked with a pasted token. */
  readonly app: SupabaseApp | null;
  /** The polling interval while a project is starting. */
  readonly pollAfterMs?: number;
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

interface Supabase {
  readonly client: VendorClient;
  readonly pollAfterMs: number;
}

/** Supabase's Management API (v1). A service is a Supabase project, and its resource id is the project's ref. */
export function createSupabaseProvider(options: SupabaseOptions): ServiceProvider {
  const { apiUrl: baseUrl, app, timeoutMs, clock = systemClock } = options;
  const { requestClient, client } = createProviderClients({ vendor: VENDOR, baseUrl, timeoutMs });
  const supabase = { client, pollAfterMs: options.pollAfterMs ?? POLL_AFTER_MS };
  return {
    provider: VENDOR,
    oauth: app === null ? null : createSupabaseOAuth({ client: requestClient, baseUrl, app, clock }),
    needsPassword: true,
    isRotationIdempotent: true,
    canAdopt: false,
    catalogEntry,
    tokenPageUrl: TOKEN_PAGE_URL,
    identify: (accessToken) => identify(requestClient, accessToken),
    provision: (access, order) => provision(supabase, access, order),
    find: (access, resourceName) => find(supabase, access, resourceName),
    list: (access, prefix) => list(supabase, access, prefix),
    inspect: (access, resourceId) => inspect(supabase, access, resourceId),
    readEnv: (access, resource) => readSupabaseEnv(client, access, resource),
    rotate: (access, rotation) => rotateCredentials(client, access, rotation),
    retire: (access, credentials) => retireCredentials(client, access, credentials),
    changePlan: async (access, { resourceId: ref, plan, from }) => {
      const project = await inspect(supabase, access, ref);
      if (project.status === "pending") {
        // The call is tried again: Supabase rejects a change during another one.
        throw vendorError("unavailable", "v1-get-project", "The project is being changed.");
      }
      await changeSupabasePlan(client, { headers: bearer(access.accessToken), ref, plan, from });
      return inspect(supabase, access, ref);
    },
    deprovision: (access, resourceId) => deprovision(supabase, access, resourceId),
  };
}

async function identify(client: VendorClient, accessToken: string): Promise<ProviderAccount> {
  const { slug, name } = await readOrganization(client, accessToken);
  return { accountId: slug, label: name.slice(0, LABEL_LENGTH_MAX) || slug };
}

/**
 * Returns the organization in which projects are created. An OAuth token belongs to the organization that the user
 * chose. A personal token can access several organizations; the first one is used.
 */
async function readOrganization(client: VendorClient, accessToken: string): Promise<Static<typeof Organization>> {
  const operation = "v1-list-all-organizations";
  const [organization] = await client.call({
    operation,
    method: "GET",
    path: "/v1/organizations",
    headers: bearer(accessToken),
    schema: Type.Array(Organization),
  });
  if (organization === undefined) {
    throw vendorError("refused", operation, "The account does not belong to an organization.");
  }
  return organization;
}

async function slugOf({ client }: Supabase, access: ProviderAccess): Promise<string> {
  return access.accountId ?? (await readOrganization(client, access.accessToken)).slug;
}

async function provision(
  supabase: Supabase,
  access: ProviderAccess,
  order: ProvisionRequest,
): Promise<ProviderResource> {
  const operation = "v1-create-a-project";
  const slug = await slugOf(supabase, access);
  const project = await supabase.client.call({
    operation,
    method: "POST",
    path: "/v1/projects",
    headers: bearer(access.accessToken),
    body: {
      name: order.resourceName,
      db_pass: order.password,
      organization_slug: slug,
      region_selection: { type: "specific", code: order.region },
      desired_instance_size: order.config["desired_instance_size"],
    },
    secrets: [order.password],
    schema: Project,
  });
  const isRequested =
    project.name === order.resourceName && project.organization_slug === slug && project.region === order.region;
  if (!isRequested) throw vendorError("unknown", operation, "The response describes a different project.");
  return resourceOf(supabase, project);
}

async function find(
  supabase: Supabase,
  access: ProviderAccess,
  resourceName: string,
): Promise<ProviderResource | undefined> {
  // Supabase allows duplicate names. The oldest project is chosen so that every call returns the same one.
  const [project] = (await listProjects(supabase, access))
    .filter(({ name }) => name === resourceName)
    .toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
  return project === undefined ? undefined : resourceOf(supabase, project);
}

async function list(supabase: Supabase, access: ProviderAccess, prefix: string): Promise<readonly NamedResource[]> {
  return (await listProjects(supabase, access))
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ ref, name }) => ({ resourceId: ref, name }));
}

/** Returns the organization's projects that have not been deleted. */
async function listProjects(supabase: Supabase, access: ProviderAccess): Promise<readonly Static<typeof Project>[]> {
  const slug = await slugOf(supabase, access);
  const projects = await supabase.client.call({
    operation: "v1-list-all-projects",
    method: "GET",
    path: "/v1/projects",
    headers: bearer(access.accessToken),
    schema: Type.Array(Project),
  });
  return projects.filter(({ organization_slug, status }) => organization_slug === slug && status !== "REMOVED");
}

async function inspect(supabase: Supabase, access: ProviderAccess, ref: string): Promise<ProviderResource> {
  const operation = "v1-get-project";
  const project = await supabase.client.call({
    operation,
    method: "GET",
    path: pathOf`/v1/projects/${ref}`,
    headers: bearer(access.accessToken),
    schema: Project,
  });
  if (project.ref !== ref) {
    throw vendorError("unavailable", operation, "The response describes a different project.");
  }
  return resourceOf(supabase, project);
}

async function deprovision(supabase: Supabase, access: ProviderAccess, ref: string): Promise<void> {
  const operation = "v1-delete-a-project";
  try {
    const deleted = await supabase.client.call({
      operation,
      method: "DELETE",
      path: pathOf`/v1/projects/${ref}`,
      headers: bearer(access.accessToken),
      schema: Deleted,
    });
    if (deleted.ref !== ref) {
      throw vendorError("unknown", operation, "The response describes a different project.");
    }
  } catch (error) {
    if (!isFailure(error, "not_found")) throw error;
  }
}

function resourceOf({ pollAfterMs }: Supabase, { ref, status }: Static<typeof Project>): ProviderResource {
  if (status === "ACTIVE_HEALTHY") return { status: "ready", resourceId: ref };
  if (FAILED_STATES.has(status)) {
    return { status: "failed", resourceId: ref, reason: `The project is ${status}.` };
  }
  return { status: "pending", resourceId: ref, pollAfterMs, expectedSeconds: EXPECTED_SECONDS };
}

function isFailure(error: unknown, failure: VendorFailure): error is VendorError {
  return error instanceof VendorError && error.failure === failure;
}
