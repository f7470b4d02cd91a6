import type {
  ProviderEnv,
  ProviderResource,
  ProvisionRequest,
  ServiceProvider,
} from "../../../ports/service-provider.ts";
import { unlessMissing, VendorError } from "../../../ports/vendor-error.ts";
import { createProviderClients, pathOf, vendorApi } from "../../http-client/vendor-client.ts";
import {
  type Agentic,
  type AgenticAccount,
  type AgenticProviderOptions,
  accountOf,
  oauthOf,
  openDashboard,
  requestAgenticAccount,
  VERSION,
} from "./agentic-account.ts";
import { catalogEntryOf, DEFAULT_REGION, findOffer, readServiceList, SERVICE_LIST_LIMITS } from "./agentic-catalog.ts";
import {
  type AgenticResource,
  type AgenticService,
  API_VERSION,
  Health,
  joinIds,
  Removed,
  Resource,
  Resources,
  Services,
  splitIds,
  variableNameOf,
} from "./agentic-wire.ts";

const PENDING = { status: "pending", pollAfterMs: 1_000, expectedSeconds: 30 } as const;
const SAME_VARIABLE = "Two credentials become the same variable.";
const OTHER_RESOURCE = "The response describes another resource.";

/**
 * A provider that implements the agentic provisioning protocol, version 0.1d. Nothing here is specific to one provider.
 *
 * The protocol has no names and no idempotency keys. Each of our services is a separate project at the provider: every
 * request to create a resource contains our name for it as `project_id`, and a provider returns the same resource for the
 * same project and service. `find` lists the resources of that project. A provider without that list answers 404 or 405,
 * or lists resources without our `project_id`; a repeated request is then the only way to learn what an unanswered one
 * created.
 */
export function createAgenticProvider(options: AgenticProviderOptions): ServiceProvider {
  const { provider, timeoutMs } = options;
  const { requestClient, client } = createProviderClients({ vendor: provider, baseUrl: options.base_url, timeoutMs });
  const api = vendorApi(client, VERSION);
  let known: readonly AgenticService[] | undefined;
  const readServices = async () => {
    const operation = "listServices";
    const path = "/provisioning/services";
    const list = await readServiceList((query) => api.get(operation, path, Services, { query }));
    if (list === undefined) {
      const problem = `The list of services is above a limit: ${SERVICE_LIST_LIMITS}.`;
      throw api.error("refused", operation, problem);
    }
    known = list.data;
    return list;
  };
  const agentic: Agentic = {
    ...options,
    client,
    requestClient,
    api,
    services: async () => known ?? (await readServices()).data,
  };
  return {
    provider,
    oauth: oauthOf(agentic),
    needsPassword: false,
    isRotationIdempotent: false,
    canAdopt: false,
    billedBy: options.billed_by,
    tokenPageUrl: options.base_url,
    readCatalog: async () => {
      const answer = await readServices();
      return catalogEntryOf(options, answer, await readHealth(agentic));
    },
    requestAccount: (request) => requestAgenticAccount(agentic, request),
    identify: async () => {
      throw api.error("refused", "identify", "The protocol has no such call.");
    },
    provision: (access, order) => provision(accountOf(agentic, access), order),
    find: (access, resourceName) => find(accountOf(agentic, access), resourceName),
    inspect: (access, resourceId) => inspect(accountOf(agentic, access), resourceId),
    readEnv: (access, { resourceId }) => readEnv(accountOf(agentic, access), resourceId),
    rotate: async (access, { resourceId }) => ({
      env: await rotate(accountOf(agentic, access), resourceId),
      mode: "immediate",
    }),
    changePlan: (access, change) => changePlan(accountOf(agentic, access), change),
    ...(options.deep_links === true && {
      openDashboard: (access) => openDashboard(accountOf(agentic, access)),
    }),
    deprovision: async (access, resourceId) => {
      const { deployable, plan } = splitIds(resourceId);
      for (const id of new Set([deployable, plan])) await remove(accountOf(agentic, access), id);
    },
  };
}

async function readHealth({ api }: Agentic): Promise<"ok" | "degraded"> {
  try {
    const { status, supported_versions } = await api.get("health", "/provisioning/health", Health);
    return status === "ok" && supported_versions.includes(API_VERSION) ? "ok" : "degraded";
  } catch (error) {
    if (error instanceof VendorError) return "degraded";
    throw error;
  }
}

async function provision(account: AgenticAccount, order: ProvisionRequest): Promise<ProviderResource> {
  const { agentic } = account;
  const offer = findOffer(await agentic.services(), order);
  if (offer === undefined) {
    const problem = "The provider no longer offers this service with this plan.";
    throw account.error("refused", "createResource", problem);
  }
  const { deployable, plan, hasPlanServices } = offer;
  const payment = paymentOf(agentic, plan);
  const region = order.region === DEFAULT_REGION ? {} : { region: order.region };
  const configuration = { ...region, ...order.config };
  const create = (serviceId: string, details: object) =>
    createResource(account, { service_id: serviceId, project_id: order.resourceName, ...details });
  if (!hasPlanServices) {
    const made = await create(plan.id, { configuration, ...payment });
    return resourceOf(agentic, made, made.id, { showsEnv: true });
  }
  // A deployable with component pricing exists only beside its plan.
  const planResource = await create(plan.id, payment);
  const made = await create(deployable.id, { configuration }).catch(async (error: unknown) => {
    if (error instanceof VendorError && error.failure !== "unknown") {
      await removeUnusedPlan(account, order.resourceName, planResource.id);
    }
    throw error;
  });
  const resourceId = joinIds({ deployable: made.id, plan: planResource.id });
  return resourceOf(agentic, made, resourceId, { showsEnv: true });
}

/** Removes a plan whose service was not created. Throws `unknown` if the plan may be left. */
async function removeUnusedPlan(account: AgenticAccount, resourceName: string, planId: string): Promise<void> {
  try {
    const found = await find(account, resourceName);
    // The provider may have refused to create the service because it exists. Its plan must stay.
    if (found !== undefined && found.resourceId !== planId) return;
    await remove(account, planId);
  } catch {
    throw account.error("unknown", "removeResource", "The plan may be left without its service.");
  }
}

async function createResource(
  account: AgenticAccount,
  body: { readonly service_id: string; readonly project_id: string },
): Promise<AgenticResource> {
  const operation = "createResource";
  const content = { body, secrets: [account.agentic.payment_token ?? ""] };
  const made = await account.post(operation, "/provisioning/resources", Resource, content);
  if (made.service_id === undefined || made.service_id === body.service_id) return made;
  throw account.error("unknown", operation, OTHER_RESOURCE);
}

function paymentOf({ payment_token, billed_by }: Agentic, { pricing }: AgenticService) {
  if (billed_by !== "purser" || pricing.type !== "paid" || payment_token === undefined) return {};
  const type = "stripe_payment_token";
  return { payment_credentials: { type, stripe_payment_token: payment_token } };
}

async function find(account: AgenticAccount, resourceName: string): Promise<ProviderResource | undefined> {
  const { agentic } = account;
  const query = { project_id: resourceName };
  const listed = await account
    .get("listResources", "/provisioning/resources", Resources, { query })
    .catch((error: unknown) => {
      if (error instanceof VendorError && isWithoutList(error)) return { data: [] };
      throw error;
    });
  const kinds = new Map((await agentic.services()).map(({ id, kind }) => [id, kind]));
  // A provider that ignores the parameter lists all resources, and an unrelated one must not be taken for ours.
  const isOurs = listed.data.every(
    ({ project_id, service_id = "" }) => project_id === resourceName && kinds.has(service_id),
  );
  if (listed.data.length === 0 || !isOurs) return undefined;
  const isPlan = ({ service_id = "" }: AgenticResource) => kinds.get(service_id) === "plan";
  const plan = listed.data.find(isPlan);
  const deployable = listed.data.find((resource) => !isPlan(resource));
  if (deployable === undefined) {
    const resourceId = plan?.id ?? "";
    return { status: "failed", resourceId, reason: "Only the plan exists, without its service." };
  }
  const ids = { deployable: deployable.id, plan: plan?.id ?? deployable.id };
  return resourceOf(agentic, deployable, joinIds(ids));
}

function isWithoutList({ failure, vendorMessage = "" }: VendorError): boolean {
  return failure === "not_found" || (failure === "refused" && vendorMessage.startsWith("405"));
}

async function inspect(account: AgenticAccount, resourceId: string): Promise<ProviderResource> {
  return resourceOf(account.agentic, await getResource(account, resourceId), resourceId);
}

async function getResource(account: AgenticAccount, resourceId: string): Promise<AgenticResource> {
  const operation = "getResource";
  const { deployable: id } = splitIds(resourceId);
  const resource = await account.get(operation, pathOf`/provisioning/resources/${id}`, Resource);
  if (resource.id === id) return resource;
  throw account.error("unavailable", operation, OTHER_RESOURCE);
}

async function readEnv(account: AgenticAccount, resourceId: string): Promise<ProviderEnv> {
  const resource = await getResource(account, resourceId);
  const env = envOf(account.agentic, resource);
  if (env !== undefined) return env;
  if (hasCredentials(resource)) throw account.error("refused", "getResource", SAME_VARIABLE);
  // The credentials were in an answer that did not arrive. Nothing uses them, so they can be replaced.
  return rotate(account, resourceId);
}

async function rotate(account: AgenticAccount, resourceId: string): Promise<ProviderEnv> {
  const operation = "rotateCredentials";
  const { deployable: id } = splitIds(resourceId);
  const path = pathOf`/provisioning/resources/${id}/rotate_credentials`;
  const resource = await account.post(operation, path, Resource);
  const env = resource.id === id ? envOf(account.agentic, resource) : undefined;
  if (env !== undefined) return env;
  const problem = hasCredentials(resource) ? SAME_VARIABLE : "The response has no credentials.";
  throw account.error("unknown", operation, problem);
}

async function changePlan(
  account: AgenticAccount,
  { resourceId, plan, from }: Parameters<NonNullable<ServiceProvider["changePlan"]>>[1],
): Promise<ProviderResource> {
  const operation = "updateService";
  const { agentic } = account;
  const { plan: id } = splitIds(resourceId);
  const service = (await agentic.services()).find((candidate) => candidate.id === plan);
  if (service === undefined) throw account.error("refused", operation, "The provider has no such plan.");
  const { service_id: current } = await getResource(account, id);
  if (from !== undefined && current === undefined) {
    throw account.error("unknown", operation, "The current plan is not known.");
  }
  if (current === plan || (from !== undefined && current !== from)) {
    return inspect(account, resourceId);
  }
  const updated = await account.post(operation, pathOf`/provisioning/resources/${id}/update_service`, Resource, {
    body: { service_id: plan, ...paymentOf(agentic, service) },
    secrets: [agentic.payment_token ?? ""],
  });
  account.expectMatch(operation, [[updated.id, id]]);
  return resourceOf(agentic, updated, resourceId);
}

async function remove(account: AgenticAccount, id: string): Promise<void> {
  const operation = "removeResource";
  const path = pathOf`/provisioning/resources/${id}/remove`;
  const removal = account.post(operation, path, Removed).then((removed) => {
    account.expectMatch(operation, [[removed.id ?? id, id]]);
  });
  await unlessMissing(removal);
}

/**
 * Returns the resource's state. It contains the credentials only if `showsEnv` is true, because callers store the state
 * of a resource unencrypted.
 */
function resourceOf(
  agentic: Agentic,
  resource: AgenticResource,
  resourceId: string,
  { showsEnv = false } = {},
): ProviderResource {
  switch (resource.status) {
    case "complete": {
      const env = showsEnv ? envOf(agentic, resource) : undefined;
      return { status: "ready", resourceId, ...(env === undefined ? {} : { env }) };
    }
    case "pending":
      return { ...PENDING, resourceId };
    case "error":
      return { status: "failed", resourceId, reason: reasonOf(resource) };
  }
}

/** Returns the provider's error code if it has the form of one. Other text can be long, or contain a secret. */
function reasonOf({ error }: AgenticResource): string {
  return /^[a-z_]{1,40}$/.test(error?.code ?? "") ? String(error?.code) : "unknown error";
}

/** Returns the credentials as variables, or undefined if the response has none, or two that become the same variable. */
function envOf({ provider }: Agentic, { complete }: AgenticResource): ProviderEnv | undefined {
  const entries = Object.entries(complete?.access_configuration ?? {}).map(
    ([key, value]) => [variableNameOf(provider, key), value] as const,
  );
  const env = Object.fromEntries(entries);
  const isWhole = Object.keys(env).length === entries.length;
  return entries.length > 0 && isWhole ? env : undefined;
}

function hasCredentials({ complete }: AgenticResource): boolean {
  return Object.keys(complete?.access_configuration ?? {}).length > 0;
}
