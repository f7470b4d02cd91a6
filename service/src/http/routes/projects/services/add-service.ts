import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Json } from "../../../../foundation/canonical-json.ts";
import { AppError, invalidField } from "../../../../foundation/errors.ts";
import { DecimalIn, ListOf, NamedObject, Nullable, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { SHORT_LEASE_MS } from "../../../../idempotency/claim.ts";
import { ApprovalResource } from "../../../../modules/approvals/approval-resource.ts";
import { readNewestApproval } from "../../../../modules/approvals/get-approval.ts";
import { getProjectOperation } from "../../../../modules/projects/projects.ts";
import type { ProjectKey } from "../../../../modules/projects/queries.ts";
import type { RequestedService, RequestService } from "../../../../modules/services/request-service.ts";
import { presentService, ServiceResource } from "../../../../modules/services/service-resource.ts";
import { getServiceOfOperation } from "../../../../modules/services/services.ts";
import { errorForOperation, presentOperation } from "../../../../operations/operation-resource.ts";
import { addService } from "../../../../workflows/add-service/add-service.ts";
import { readAddedEnv } from "../../../../workflows/pull-env.ts";
import { actorOf, hasScope, type Principal, principalOf } from "../../../auth/principal.ts";
import { type ReferenceOutcome, replyByReference } from "../../../idempotency.ts";
import { MONEY_RETENTION_HOURS } from "../../../money-request.ts";
import { endpoint } from "../../../route.ts";
import { actingAgentOf } from "../../agents/acting-agent.ts";
import { OperationResource } from "../../operations/operations.ts";
import { AcceptedTerms, centsOf, EnvironmentNames, NewMetadata } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

const AddServiceRequest = StrictObject("AddServiceRequest", {
  service: Type.Optional(
    Text(
      "Id in the catalog: `provider/slug`, for example `neon/postgres`. Required unless `provider` and `service_slug` are set.",
      { maxLength: 129 },
    ),
  ),
  provider: Type.Optional(
    Text(
      "The provider's id, which is the part of `service` before the slash. Can be sent with `service_slug` instead of `service`.",
      { maxLength: 64 },
    ),
  ),
  service_slug: Type.Optional(
    Text(
      "The service's slug, which is the part of `service` after the slash. Can be sent with `provider` instead of `service`.",
      { maxLength: 64 },
    ),
  ),
  name: Type.Optional(
    Text(
      "The service's name, unique within the project: 1 to 63 letters, digits, dots, underscores and hyphens, starting with a letter or digit. Default: the service's slug in the catalog, with a number appended if the name is taken.",
      { pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$" },
    ),
  ),
  plan: Type.Optional(Text("A plan id from the catalog. Default: the service's first plan.", { maxLength: 64 })),
  config: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "Configuration of the service. Must match the service's `config_schema` in the catalog. Default: `{}`.",
    }),
  ),
  region: Type.Optional(Text("A region id from the catalog. Default: the provider's first region.", { maxLength: 64 })),
  environments: Type.Optional(
    EnvironmentNames({
      description:
        "Environments whose env bundles contain the service's variables. Default: all environments of the project.",
    }),
  ),
  env_prefix: Type.Optional(
    Text(
      "Prefix for the names of the service's variables: 1 to 32 capital letters, digits and underscores, not starting with a digit. Default: none.",
      { pattern: "^[A-Z_][A-Z0-9_]{0,31}$" },
    ),
  ),
  max_monthly_cost: Type.Optional({
    ...DecimalIn,
    description:
      "Maximum fixed price per month, in US dollars, as a string or a JSON number. The call fails if the plan costs more. Default: no limit.",
  }),
  accept_terms_version: AcceptedTerms,
  existing_resource_id: Type.Optional(
    Text(
      "The id of an existing resource at the provider, to use instead of a new one: letters, digits, underscores and hyphens, starting with a letter or digit. Default: a new resource is created.",
      { pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$" },
    ),
  ),
  agent_id: Type.Optional(
    Text("The UUID of the agent that adds the service. Must be equal to `X-Agent-ID` if that header is sent.", {
      format: "uuid",
    }),
  ),
  metadata: Type.Optional(NewMetadata),
});

const ServiceAddition = NamedObject("ServiceAddition", {
  service: ServiceResource,
  operation: OperationResource,
  env: Nullable(
    Type.Record(Type.String(), Type.String()),
    "The service's variables by name. Null unless the service is active and the call is signed with a key that has the scope `env:read`.",
  ),
  env_names: ListOf(Type.String(), "Names of the service's variables."),
  fingerprint: Nullable(
    Type.String(),
    "SHA-256 of the canonical JSON (RFC 8785) of `env`, in lowercase hexadecimal. Null if `env` is null.",
  ),
  expected_callback_seconds: Nullable(
    Type.Integer(),
    "Typical duration in seconds until the operation ends. Null if the operation has ended or its duration is unknown.",
  ),
  poll_url: Nullable(Type.String(), "URL path to poll for the operation's status. Null if the operation has ended."),
  approval: Nullable(
    ApprovalResource,
    "The approval that the operation waits for. Null unless the operation's status is `requires_approval`.",
  ),
});

export const addServiceRoute = endpoint("POST /api/v1/svc/projects/:project_id/services", {
  operationId: "addService",
  sdk: "projects.services.add",
  summary: "Add a service",
  description:
    "Adds a service from a linked provider to the project. First reserves the plan's price, which counts toward the caps of the project and the provider. Then provisions the service. Waits up to 20 seconds for the operation to finish. If it is then still running, the response contains a `poll_url`. Fails with `payment_method_required`, `cap_exceeded`, `provider_not_linked`, `tos_acceptance_required`, `already_exists`, `conflict`, `agent_not_found`, `agent_suspended`, `provider_error` or `provider_unavailable`. If an agent adds the service, its policies decide first: the call can also fail with `policy_denied` or `kya_required`, or the operation requires an `approval`. After such a failure nothing is left at the provider. If a failure could not be undone, the response is 202 and the operation's status is `needs_operator`.",
  auth: "tenant",
  scope: "services:write",
  replayGuard: "always",
  agentBound: "allowed",
  body: AddServiceRequest,
  answers: { 202: ServiceAddition },
  errors: [
    "payment_method_required",
    "provider_error",
    "cap_exceeded",
    "provider_not_linked",
    "tos_acceptance_required",
    "already_exists",
    "conflict",
    "agent_not_found",
    "agent_suspended",
    "provider_unavailable",
    "policy_denied",
    "kya_required",
  ],
  example: { service: "neon/postgres" },
  run: async (app, request, reply) => {
    const principal = principalOf(request);
    const actor = actorOf(request);
    const agentId = actingAgentOf(request, request.body.agent_id);
    const key = projectKeyOf(request, request.params.project_id, agentId);
    rejectBoundAdoption(principal, request.body);
    const command = commandOf({ actor, key, agentId }, request.body);
    const resolve = (added: RequestedService) =>
      resolveAddition(app, {
        ...{ actor, key, agentId, added },
        // The values of an environment leave only by signed calls.
        showsEnv: principal.kind === "api_key" && hasScope(principal, "env:read"),
      });
    const options = {
      status: 202,
      resolve,
      retentionHours: MONEY_RETENTION_HOURS,
      leaseMs: SHORT_LEASE_MS,
    } as const;
    return replyByReference(app, request, reply, options, (saveResponse) => addService(app, command, saveResponse));
  },
});

/**
 * Throws if a key that is bound to agents or projects tries to adopt a resource. The developer's account at the
 * provider also contains resources of other projects, which such a key must not access.
 */
function rejectBoundAdoption(
  principal: Principal,
  { existing_resource_id: resourceId }: Static<typeof AddServiceRequest>,
): void {
  if (resourceId === undefined || principal.kind !== "api_key") return;
  if (principal.agentIds.length === 0 && principal.projectIds.length === 0) return;
  const detail = "A key that is bound to agents or projects cannot adopt an existing resource.";
  throw new AppError("insufficient_scope", { detail });
}

function commandOf(
  caller: { readonly actor: Actor; readonly key: ProjectKey; readonly agentId: string | null },
  body: Static<typeof AddServiceRequest>,
): RequestService {
  const { max_monthly_cost: maxMonthlyCost } = body;
  return {
    ...caller,
    selection: {
      service: serviceOf(body),
      plan: body.plan,
      region: body.region,
      config: (body.config ?? {}) as Readonly<Record<string, Json>>,
      maxMonthlyCostCents: maxMonthlyCost === undefined ? undefined : centsOf("/body/max_monthly_cost", maxMonthlyCost),
      acceptTermsVersion: body.accept_terms_version,
    },
    name: body.name,
    environments: body.environments,
    envPrefix: body.env_prefix ?? null,
    existingResourceId: body.existing_resource_id ?? null,
    metadata: body.metadata ?? {},
  };
}

/**
 * Returns the service's id in the catalog: `service`, or `provider` and `service_slug` joined. Throws
 * `validation_error` if the id is missing, or if the three fields contradict each other.
 */
function serviceOf({ service, provider, service_slug: slug }: Static<typeof AddServiceRequest>) {
  const joined = provider !== undefined && slug !== undefined ? `${provider}/${slug}` : undefined;
  const named = service ?? joined;
  if (named === undefined) {
    const detail = "is required: the id of a service in the catalog (see GET /projects/catalog)";
    throw invalidField("/body/service", "required", detail);
  }
  const differs =
    (provider !== undefined && !named.startsWith(`${provider}/`)) ||
    (slug !== undefined && !named.endsWith(`/${slug}`));
  if (differs) {
    const detail = "must match the fields provider and service_slug";
    throw invalidField("/body/service", "mismatch", detail);
  }
  return named;
}

/**
 * Returns the current outcome of a service addition. Includes the environment variables if the service is active and
 * the caller can read them: with a key that has the scope `env:read` and, if an agent acts, as long as it is allowed to pull them.
 */
async function resolveAddition(
  app: App,
  {
    actor,
    key,
    agentId,
    added,
    showsEnv,
  }: {
    readonly actor: Actor;
    readonly key: ProjectKey;
    readonly agentId: string | null;
    readonly added: RequestedService;
    readonly showsEnv: boolean;
  },
): Promise<ReferenceOutcome<Static<typeof ServiceAddition>>> {
  const operation = await getProjectOperation(app, { key, operationId: added.operationId });
  const { status, error } = operation;
  // With `needs_operator`, a resource may still exist at the provider, and a retry could create another one. The
  // response is therefore a 202 and not an error.
  if (error !== null && status !== "needs_operator") {
    return { kind: "error", error: errorForOperation(error) };
  }
  const service = await getServiceOfOperation(app, key, added.serviceId);
  const isActive = status === "succeeded" && service.status === "active";
  const serviceEnv = isActive && showsEnv ? await readAddedEnv(app, { actor, agentId, service }) : undefined;
  const presented = presentOperation(operation);
  return {
    kind: "response",
    body: {
      service: presentService(service),
      operation: presented,
      env: serviceEnv?.env ?? null,
      env_names: Object.values(service.envNames).sort(),
      fingerprint: serviceEnv?.fingerprint ?? null,
      expected_callback_seconds: presented.expected_callback_seconds,
      poll_url: presented.poll_url,
      approval:
        status === "requires_approval"
          ? await readNewestApproval(app, key.tenantId, { type: "service", id: added.serviceId })
          : null,
    },
  };
}
