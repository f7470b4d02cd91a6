import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Json } from "../../../../foundation/canonical-json.ts";
import { AppError, invalidField } from "../../../../foundation/errors.ts";
import { DecimalIn } from "../../../../foundation/wire/amounts.ts";
import { Metadata, Nullable } from "../../../../foundation/wire/common.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import {
  getProjectOperation,
  getServiceOfOperation,
  type ProjectKey,
  presentService,
  type RequestedService,
  type RequestService,
  readServiceEnv,
  ServiceResource,
} from "../../../../modules/projects/index.ts";
import { presentOperation, refusalFor } from "../../../../operations/operation-resource.ts";
import { addService } from "../../../../workflows/index.ts";
import { actorOf, hasScope, type Principal } from "../../../auth/principal.ts";
import { singleHeader } from "../../../auth/request-headers.ts";
import { type ReferenceOutcome, replyByReference } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { OperationResource } from "../../operations/operation-schema.ts";
import { centsOf, EnvironmentNames } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

/** What costs money keeps its answer for 30 days (contract, section 0). */
const RETENTION_HOURS = 30 * 24;

const AddServiceRequest = Type.Object(
  {
    service: Type.Optional(
      Type.String({ maxLength: 129, description: "provider/slug, as the catalog names it" }),
    ),
    provider: Type.Optional(Type.String({ maxLength: 64 })),
    service_slug: Type.Optional(Type.String({ maxLength: 64 })),
    name: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
        description:
          "1 to 63 letters, digits, dots, underscores and hyphens, with a letter or digit first.",
      }),
    ),
    plan: Type.Optional(Type.String({ maxLength: 64 })),
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    region: Type.Optional(Type.String({ maxLength: 64 })),
    environments: Type.Optional(EnvironmentNames()),
    env_prefix: Type.Optional(
      Type.String({
        pattern: "^[A-Z_][A-Z0-9_]{0,31}$",
        description: "1 to 32 capital letters, digits and underscores, with no digit first.",
      }),
    ),
    max_monthly_cost: Type.Optional(DecimalIn),
    accept_terms_version: Type.Optional(Type.String({ maxLength: 64 })),
    existing_resource_id: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$",
        description: "The provider's own id: letters, digits, underscores and hyphens.",
      }),
    ),
    agent_id: Type.Optional(Type.String({ format: "uuid" })),
    metadata: Type.Optional(Metadata),
  },
  { $id: "AddServiceRequest", additionalProperties: false },
);

const ServiceAddition = Type.Object(
  {
    service: ServiceResource,
    operation: OperationResource,
    env: Nullable(Type.Record(Type.String(), Type.String())),
    env_names: Type.Array(Type.String()),
    fingerprint: Nullable(Type.String()),
    expected_callback_seconds: Nullable(Type.Integer()),
    poll_url: Nullable(Type.String()),
  },
  { $id: "ServiceAddition" },
);

export function addServiceRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/projects/:project_id/services",
    config: { auth: "tenant", scope: "services:write", agentBound: "allowed" },
    schema: {
      operationId: "addService",
      tags: ["Projects"],
      summary: "Provision a service of a linked provider into the project",
      params: Type.Object({ project_id: Type.String() }),
      body: AddServiceRequest,
      response: {
        202: ServiceAddition,
        402: Problem,
        404: Problem,
        409: Problem,
        502: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const actor = actorOf(request, principal);
      const key = projectKeyOf(request, request.params.project_id);
      const agentId = agentOf(
        principal,
        singleHeader(request, "x-agent-id"),
        request.body.agent_id,
      );
      refuseBoundAdoption(principal, request.body);
      const command = commandOf({ actor, key, agentId }, request.body);
      const resolve = (added: RequestedService) =>
        resolveAddition(app, { actor, key, added, showsEnv: hasScope(principal, "env:read") });
      const options = { status: 202, resolve, retentionHours: RETENTION_HOURS } as const;
      return replyByReference(app, request, reply, options, (saveResponse) =>
        addService(app, command, saveResponse),
      );
    },
  });
}

/** Header and body name the same agent, or one of them names it; a bound key acts as its own agent only. */
function agentOf(principal: Principal, header: string, body: string | undefined): string | null {
  const named = [header, body ?? ""].filter((id) => id !== "").map((id) => id.toLowerCase());
  const [agentId = null, other = agentId] = named;
  if (agentId !== other) {
    throw invalidField("/body/agent_id", "mismatch", "is not the agent that X-Agent-ID names");
  }
  const bound = principal.kind === "api_key" ? principal.agentIds : [];
  if (bound.length === 0) return agentId;
  const own = bound.map((id) => id.toLowerCase());
  if (agentId === null) {
    const [only] = own;
    if (own.length === 1 && only !== undefined) return only;
    throw invalidField("/headers/x-agent-id", "required", "this key acts for several agents");
  }
  if (!own.includes(agentId)) throw new AppError("agent_not_found");
  return agentId;
}

/** An account holds what other projects have made there: a key that does not reach those may not take it in. */
function refuseBoundAdoption(
  principal: Principal,
  { existing_resource_id: resourceId }: Static<typeof AddServiceRequest>,
): void {
  if (resourceId === undefined || principal.kind !== "api_key") return;
  if (principal.agentIds.length === 0 && principal.projectIds.length === 0) return;
  const detail = "A key that is bound to agents or projects takes no existing resource in.";
  throw new AppError("insufficient_scope", { detail });
}

function commandOf(
  whose: { readonly actor: Actor; readonly key: ProjectKey; readonly agentId: string | null },
  body: Static<typeof AddServiceRequest>,
): RequestService {
  const { max_monthly_cost: maxMonthlyCost } = body;
  return {
    ...whose,
    wish: {
      service: serviceOf(body),
      plan: body.plan,
      region: body.region,
      config: (body.config ?? {}) as Readonly<Record<string, Json>>,
      maxMonthlyCostCents:
        maxMonthlyCost === undefined
          ? undefined
          : centsOf("/body/max_monthly_cost", maxMonthlyCost),
      acceptTermsVersion: body.accept_terms_version,
    },
    name: body.name,
    environments: body.environments,
    envPrefix: body.env_prefix ?? null,
    existingResourceId: body.existing_resource_id ?? null,
    metadata: body.metadata ?? {},
  };
}

/** `service`, or `provider` and `service_slug`; where both are given they name the same. */
function serviceOf({ service, provider, service_slug: slug }: Static<typeof AddServiceRequest>) {
  const joined = provider !== undefined && slug !== undefined ? `${provider}/${slug}` : undefined;
  const named = service ?? joined;
  if (named === undefined) {
    throw invalidField("/body/service", "required", "is missing: provider/slug, see the catalog");
  }
  const isOther =
    (provider !== undefined && !named.startsWith(`${provider}/`)) ||
    (slug !== undefined && !named.endsWith(`/${slug}`));
  if (isOther) throw invalidField("/body/service", "mismatch", "is not what the other fields name");
  return named;
}

/** Reads the current state of an addition. Variables are included once the service is active, if the caller may read them. */
async function resolveAddition(
  app: App,
  {
    actor,
    key,
    added,
    showsEnv,
  }: {
    readonly actor: Actor;
    readonly key: ProjectKey;
    readonly added: RequestedService;
    readonly showsEnv: boolean;
  },
): Promise<ReferenceOutcome<Static<typeof ServiceAddition>>> {
  const operation = await getProjectOperation(app, { key, operationId: added.operationId });
  const { status, error } = operation;
  // An operation that needs an operator may have left a resource behind, so the call must not be repeated: it is an answer.
  if (error !== null && status !== "needs_operator") {
    return { kind: "refusal", error: refusalFor(error) };
  }
  const service = await getServiceOfOperation(app, key, added.serviceId);
  const isThere = status === "succeeded" && service.status === "active";
  const shown = isThere && showsEnv ? await readServiceEnv(app, actor, service) : undefined;
  const presented = presentOperation(operation);
  return {
    kind: "answer",
    body: {
      service: presentService(service),
      operation: presented,
      env: shown?.env ?? null,
      env_names: Object.values(service.envNames).sort(),
      fingerprint: shown?.fingerprint ?? null,
      expected_callback_seconds: presented.expected_callback_seconds,
      poll_url: presented.poll_url,
    },
  };
}
