import { createHash, randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { expiryIn } from "../oauth/expiry.ts";
import { findAccountByAccessToken } from "../oauth/tokens.ts";
import { accountIdOf, deepLinksNotEnabled } from "./accounts.ts";
import { agenticError, agenticErrors } from "./agentic-errors.ts";
import type { AgenticProviderShape, OfferedService } from "./agentic-options.ts";
import { versioned } from "./versioned.ts";

export const RESOURCE = "resource";
const DEEP_LINK_LIFETIME_MS = 5 * 60_000;

const Payment = Type.Optional(
  Type.Object({
    type: Type.Literal("stripe_payment_token"),
    stripe_payment_token: Type.String({ pattern: "^spt_" }),
  }),
);
const CreateBody = Type.Object({
  service_id: Type.String(),
  project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  configuration: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  payment_credentials: Payment,
});
const UpdateBody = Type.Object({ service_id: Type.String(), payment_credentials: Payment });
const ListQuery = Type.Object({ project_id: Type.String({ minLength: 1 }) }, { additionalProperties: false });

export type Resource = StoredObject<{
  readonly accountId: string;
  readonly projectId: string;
  readonly serviceId: string;
  readonly secret: { readonly value: string };
}>;

export function resourceRoutes(shape: AgenticProviderShape): readonly VendorRoute[] {
  const path = "/provisioning/resources/:id";
  const common = { auth: authenticate };
  return [
    {
      ...common,
      ...{ operation: "createResource", method: "POST", url: "/provisioning/resources" },
      body: CreateBody,
      handle: versioned((request, context) => createResource(shape, request, context)),
    },
    {
      ...common,
      ...{ operation: "listResources", method: "GET", url: "/provisioning/resources" },
      query: ListQuery,
      handle: versioned(async ({ caller, query }, context) => {
        const { project_id } = query as Static<typeof ListQuery>;
        const found = (await resourcesOf(context, String(caller))).filter(({ data }) => data.projectId === project_id);
        return {
          status: 200,
          body: { data: found.map((each) => present(shape, each, context.now(), false)) },
        };
      }),
    },
    {
      ...common,
      ...{ operation: "getResource", method: "GET", url: path },
      handle: withResource(async (resource, _request, context) => show(shape, resource, context)),
    },
    {
      ...common,
      ...{ operation: "rotateCredentials", method: "POST", url: `${path}/rotate_credentials` },
      handle: withResource(async (resource, _request, context) => {
        const same = shape.faults?.includes("rotates_to_same_secret");
        const secret = same ? resource.data.secret : newSecret();
        const data = { ...resource.data, secret };
        await context.objects.update(RESOURCE, resource.id, { data, state: "shown" });
        return { status: 200, body: present(shape, { ...resource, data }, context.now(), true) };
      }),
    },
    {
      ...common,
      ...{ operation: "updateService", method: "POST", url: `${path}/update_service` },
      body: UpdateBody,
      handle: withResource((resource, request, context) => updateService(shape, { resource, request, context })),
    },
    {
      ...common,
      ...{ operation: "removeResource", method: "POST", url: `${path}/remove` },
      handle: withResource(async ({ id }, _request, { objects }) => {
        if (!shape.faults?.includes("forgets_to_remove")) await objects.remove(RESOURCE, id);
        return { status: 200, body: { status: "removed", id } };
      }),
    },
    {
      ...common,
      ...{ operation: "createDeepLink", method: "POST", url: "/provisioning/deep_links" },
      handle: versioned(async (_request, context) => {
        if (!shape.hasDeepLinks) return deepLinksNotEnabled();
        const token = randomBytes(24).toString("base64url");
        const url = `${context.baseUrl}/agentic/login?token=${token}`;
        const expires_at = expiryIn(context, DEEP_LINK_LIFETIME_MS);
        return { status: 200, body: { purpose: "dashboard", url, expires_at } };
      }),
    },
  ];
}

/** Returns the id of the token's account: of an issued token, or of `sandbox-NAME`. */
async function authenticate({ headers }: VendorRequest, context: VendorContext): Promise<string | undefined> {
  const [, token = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  return isSandboxKey(token) ? accountIdOf(token) : findAccountByAccessToken(context, token);
}

async function createResource(
  shape: AgenticProviderShape,
  { body, caller }: VendorRequest,
  context: VendorContext,
): Promise<VendorResponse> {
  const { service_id, project_id, payment_credentials } = body as Static<typeof CreateBody>;
  const service = shape.services.find(({ id }) => id === service_id);
  if (service === undefined) return unknownService();
  const accountId = String(caller);
  const projectId = project_id ?? randomBytes(8).toString("hex");
  const refusal =
    paymentProblem(shape, service, payment_credentials) ??
    (await planProblem(context, service, { accountId, projectId }));
  if (refusal !== undefined) return refusal;
  // The same project and service are the same resource, so a repeated request creates nothing.
  const id = `res_${hash(`${accountId}/${projectId}/${service_id}`)}`;
  const data = { accountId, projectId, serviceId: service_id, secret: newSecret() };
  await context.objects.insert({ type: RESOURCE, id, state: "made", data });
  const resource = await context.objects.find<Resource["data"]>(RESOURCE, id);
  return resource === undefined ? agenticErrors.notFound() : show(shape, resource, context);
}

/** A deployable with component pricing needs a resource of one of its plans in the same project. */
async function planProblem(
  context: VendorContext,
  { pricing }: OfferedService,
  { accountId, projectId }: Pick<Resource["data"], "accountId" | "projectId">,
): Promise<VendorResponse | undefined> {
  if (pricing.type !== "component") return undefined;
  const plans = (pricing.component?.options ?? []).flatMap((option) => option.parent_service_ids);
  const owned = await resourcesOf(context, accountId);
  const hasPlan = owned.some(({ data }) => data.projectId === projectId && plans.includes(data.serviceId));
  return hasPlan ? undefined : agenticError(400, "plan_required", "Create a plan first.");
}

function paymentProblem(
  { paymentCredentials }: AgenticProviderShape,
  { pricing }: OfferedService,
  sent: unknown,
): VendorResponse | undefined {
  const isPaidByCaller = paymentCredentials === "orchestrator" && pricing.type === "paid";
  return isPaidByCaller && sent === undefined
    ? agenticError(400, "requires_payment_credentials", "Send payment credentials.")
    : undefined;
}

async function updateService(
  shape: AgenticProviderShape,
  {
    resource,
    request,
    context,
  }: {
    readonly resource: Resource;
    readonly request: VendorRequest;
    readonly context: VendorContext;
  },
): Promise<VendorResponse> {
  const { service_id, payment_credentials } = request.body as Static<typeof UpdateBody>;
  const current = shape.services.find(({ id }) => id === resource.data.serviceId);
  const next = shape.services.find(({ id }) => id === service_id);
  if (next === undefined) return unknownService();
  const allowed = (current?.allowed_updates ?? []).map((update) =>
    typeof update === "string" ? update : update.service,
  );
  if (next !== current && !allowed.includes(next.id)) {
    return agenticError(400, "update_not_allowed", "The service cannot change to this one.");
  }
  const refusal = paymentProblem(shape, next, payment_credentials);
  if (refusal !== undefined) return refusal;
  const data = { ...resource.data, serviceId: next.id };
  await context.objects.update(RESOURCE, resource.id, { data });
  return { status: 200, body: present(shape, { ...resource, data }, context.now(), false) };
}

/** Returns the resource, with its credentials unless they have been shown and the provider shows them once. */
async function show(
  shape: AgenticProviderShape,
  resource: Resource,
  { objects, now }: VendorContext,
): Promise<VendorResponse> {
  const isReady = isReadyAt(shape, resource, now());
  const mayShow =
    !shape.showsCredentialsOnce || (isReady && (await objects.claim(RESOURCE, resource.id, "made", "shown")));
  return { status: 200, body: present(shape, resource, now(), mayShow) };
}

function present(shape: AgenticProviderShape, resource: Resource, now: Date, showsCredentials: boolean) {
  const { id, data } = resource;
  const common = { id, service_id: data.serviceId, project_id: data.projectId };
  if (!isReadyAt(shape, resource, now)) return { ...common, status: "pending" };
  const access_configuration = shape.credentialsOf({ id, secret: data.secret.value });
  const complete = showsCredentials && !isPlan(shape, resource) ? { access_configuration } : {};
  return { ...common, status: "complete", complete };
}

function isReadyAt(shape: AgenticProviderShape, resource: Resource, now: Date): boolean {
  return isPlan(shape, resource) || now.getTime() - resource.createdAt.getTime() >= shape.readyAfterMs;
}

function isPlan({ services }: AgenticProviderShape, { data }: Resource): boolean {
  return services.find(({ id }) => id === data.serviceId)?.kind === "plan";
}

/** Loads the resource whose ID is in the path. Responds 404 if it belongs to another account. */
function withResource(
  work: (resource: Resource, request: VendorRequest, context: VendorContext) => Promise<VendorResponse>,
): VendorRoute["handle"] {
  return versioned(async (request, context) => {
    const id = request.params["id"] ?? "";
    const resource = await context.objects.find<Resource["data"]>(RESOURCE, id);
    if (resource === undefined || resource.data.accountId !== request.caller) {
      return agenticErrors.notFound();
    }
    return work(resource, request, context);
  });
}

async function resourcesOf({ objects }: VendorContext, accountId: string): Promise<Resource[]> {
  const all = await objects.list<Resource["data"]>(RESOURCE);
  return all.filter(({ data }) => data.accountId === accountId);
}

function unknownService(): VendorResponse {
  return agenticError(400, "unknown_service", "The service is not offered.");
}

function newSecret(): { readonly value: string } {
  return { value: randomBytes(18).toString("hex") };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}
