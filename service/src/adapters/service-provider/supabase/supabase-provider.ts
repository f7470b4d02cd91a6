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
import { unlessMissing } from "../../../ports/vendor-error.ts";
import { bearer, createProviderClients, pathOf, type VendorApi, vendorApi } from "../../http-client/vendor-client.ts";
import catalogEntry from "./catalog.json" with { type: "json" };
import { Ref, readSupabaseEnv, retireSupabaseCredentials, rotateCredentials } from "./supabase-credentials.ts";
import { createSupabaseOAuth, type SupabaseApp } from "./supabase-oauth.ts";
import { changeSupabasePlan } from "./supabase-plan.ts";

const VENDOR = "supabase";
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

/** An account at Supabase. */
interface Supabase extends VendorApi {
  /** Null for the token's own account. */
  readonly accountId: string | null;
  readonly pollAfterMs: number;
}

/** Supabase's Management API (v1). A service is a Supabase project, and its resource id is the project's ref. */
export function createSupabaseProvider(options: SupabaseOptions): ServiceProvider {
  const { apiUrl: baseUrl, app, timeoutMs, clock = systemClock } = options;
  const { requestClient, client } = createProviderClients({ vendor: VENDOR, baseUrl, timeoutMs });
  const open = ({ accessToken, accountId }: ProviderAccess): Supabase => ({
    ...vendorApi(client, bearer(accessToken)),
    accountId,
    pollAfterMs: options.pollAfterMs ?? POLL_AFTER_MS,
  });
  return {
    provider: VENDOR,
    oauth: app === null ? null : createSupabaseOAuth({ client: requestClient, baseUrl, app, clock }),
    needsPassword: true,
    isRotationIdempotent: true,
    canAdopt: false,
    catalogEntry,
    tokenPageUrl: TOKEN_PAGE_URL,
    identify: (accessToken) => identify(vendorApi(requestClient, bearer(accessToken))),
    provision: (access, order) => provision(open(access), order),
    find: (access, resourceName) => find(open(access), resourceName),
    list: (access, prefix) => list(open(access), prefix),
    inspect: (access, resourceId) => inspect(open(access), resourceId),
    readEnv: (access, resource) => readSupabaseEnv(open(access), resource),
    rotate: (access, rotation) => rotateCredentials(open(access), rotation),
    retire: (access, credentials) => retireSupabaseCredentials(open(access), credentials),
    changePlan: async (access, { resourceId: ref, plan, from }) => {
      const supabase = open(access);
      const project = await inspect(supabase, ref);
      if (project.status === "pending") {
        // The call is tried again: Supabase rejects a change during another one.
        throw supabase.error("unavailable", "v1-get-project", "The project is being changed.");
      }
      await changeSupabasePlan(supabase, { ref, plan, from });
      return inspect(supabase, ref);
    },
    deprovision: (access, resourceId) => unlessMissing(deprovision(open(access), resourceId)),
  };
}

async function identify(supabase: VendorApi): Promise<ProviderAccount> {
  const { slug, name } = await readOrganization(supabase);
  return { accountId: slug, label: name.slice(0, LABEL_LENGTH_MAX) || slug };
}

/**
 * Returns the organization in which projects are created. An OAuth token belongs to the organization that the user
 * chose. A personal token can access several organizations; the first one is used.
 */
async function readOrganization(supabase: VendorApi): Promise<Static<typeof Organization>> {
  const operation = "v1-list-all-organizations";
  const [organization] = await supabase.get(operation, "/v1/organizations", Type.Array(Organization));
  if (organization !== undefined) return organization;
  throw supabase.error("refused", operation, "The account does not belong to an organization.");
}

async function slugOf(supabase: Supabase): Promise<string> {
  return supabase.accountId ?? (await readOrganization(supabase)).slug;
}

async function provision(supabase: Supabase, order: ProvisionRequest): Promise<ProviderResource> {
  const operation = "v1-create-a-project";
  const slug = await slugOf(supabase);
  const project = await supabase.post(operation, "/v1/projects", Project, {
    body: {
      name: order.resourceName,
      db_pass: order.password,
      organization_slug: slug,
      region_selection: { type: "specific", code: order.region },
      desired_instance_size: order.config["desired_instance_size"],
    },
    secrets: [order.password],
  });
  supabase.expectMatch(operation, [
    [project.name, order.resourceName],
    [project.organization_slug, slug],
    [project.region, order.region],
  ]);
  return resourceOf(supabase, project);
}

async function find(supabase: Supabase, resourceName: string): Promise<ProviderResource | undefined> {
  // Supabase allows duplicate names. The oldest project is chosen so that every call returns the same one.
  const [project] = (await listProjects(supabase))
    .filter(({ name }) => name === resourceName)
    .toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
  return project === undefined ? undefined : resourceOf(supabase, project);
}

async function list(supabase: Supabase, prefix: string): Promise<readonly NamedResource[]> {
  return (await listProjects(supabase))
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ ref, name }) => ({ resourceId: ref, name }));
}

async function listProjects(supabase: Supabase): Promise<readonly Static<typeof Project>[]> {
  const slug = await slugOf(supabase);
  const projects = await supabase.get("v1-list-all-projects", "/v1/projects", Type.Array(Project));
  return projects.filter(({ organization_slug, status }) => organization_slug === slug && status !== "REMOVED");
}

async function inspect(supabase: Supabase, ref: string): Promise<ProviderResource> {
  const operation = "v1-get-project";
  const project = await supabase.get(operation, pathOf`/v1/projects/${ref}`, Project);
  if (project.ref === ref) return resourceOf(supabase, project);
  throw supabase.error("unavailable", operation, "The response describes a different project.");
}

async function deprovision(supabase: Supabase, ref: string): Promise<void> {
  const operation = "v1-delete-a-project";
  const deleted = await supabase.delete(operation, pathOf`/v1/projects/${ref}`, Deleted);
  supabase.expectMatch(operation, [[deleted.ref, ref]]);
}

function resourceOf({ pollAfterMs }: Supabase, { ref, status }: Static<typeof Project>): ProviderResource {
  if (status === "ACTIVE_HEALTHY") return { status: "ready", resourceId: ref };
  if (FAILED_STATES.has(status)) {
    return { status: "failed", resourceId: ref, reason: `The project is ${status}.` };
  }
  return { status: "pending", resourceId: ref, pollAfterMs, expectedSeconds: EXPECTED_SECONDS };
}
