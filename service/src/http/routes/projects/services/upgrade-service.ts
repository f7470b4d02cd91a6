import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { formatUsdCents } from "../../../../foundation/money.ts";
import {
  DecimalIn,
  DecimalOut,
  Flag,
  ListOf,
  NamedObject,
  Nullable,
  OneOf,
  StrictObject,
  Text,
} from "../../../../foundation/wire/fields.ts";
import { SHORT_LEASE_MS } from "../../../../idempotency/claim.ts";
import { ApprovalResource } from "../../../../modules/approvals/approval-resource.ts";
import { readNewestApproval } from "../../../../modules/approvals/get-approval.ts";
import { UnitPrice } from "../../../../modules/catalog/catalog.ts";
import { getProjectOperation } from "../../../../modules/projects/projects.ts";
import type { ProjectKey } from "../../../../modules/projects/queries.ts";
import type { RequestedPlanChange } from "../../../../modules/services/plan-change/request-plan-change.ts";
import { presentService, ServiceResource } from "../../../../modules/services/service-resource.ts";
import { getServiceOfOperation } from "../../../../modules/services/services.ts";
import { errorForOperation, presentOperation } from "../../../../operations/operation-resource.ts";
import type { Operation } from "../../../../operations/queries.ts";
import { upgradeService } from "../../../../workflows/upgrade-service/upgrade-service.ts";
import { actorOf } from "../../../auth/principal.ts";
import { type ReferenceOutcome, replyByReference } from "../../../idempotency.ts";
import { MONEY_RETENTION_HOURS } from "../../../money-request.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { actingAgentOf } from "../../agents/acting-agent.ts";
import { OperationResource } from "../../operations/operations.ts";
import { AcceptedTerms, centsOf } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

const UpgradeServiceRequest = StrictObject("UpgradeServiceRequest", {
  plan: Text("The id of the new plan: one of the service's `allowed_updates`.", { maxLength: 64 }),
  effective: Type.Optional(
    OneOf(
      ["immediate", "period_end"],
      "When the plan changes. `immediate`: now. `period_end`: when the month ends (UTC). Default: `immediate`, or `period_end` for a cheaper plan if the current plan is not prorated.",
    ),
  ),
  max_monthly_cost: Type.Optional({
    ...DecimalIn,
    description:
      "Maximum fixed price of the new plan per month, in US dollars, as a string or a JSON number. The call fails if the plan costs more. Default: no limit.",
  }),
  expected_current_plan: Type.Optional(
    Text("The call fails with 409 `conflict` if the service has another plan. Default: not checked.", {
      maxLength: 64,
    }),
  ),
  accept_terms_version: AcceptedTerms,
});

const ServiceUpgrade = NamedObject("ServiceUpgrade", {
  service: ServiceResource,
  previous_plan: Text("The plan of the service before the call."),
  changed: Flag("Whether the provider is asked to change the plan. False if the service has the plan already."),
  price_change: Type.Object({
    old: { ...DecimalOut, description: "The monthly cost of the previous plan, in US dollars." },
    new: { ...DecimalOut, description: "The monthly cost of the requested plan." },
    old_usage: ListOf(UnitPrice, "The previous plan's prices for metered use. Empty if its use is not metered."),
    new_usage: ListOf(UnitPrice, "The requested plan's prices for metered use."),
    proration: {
      ...DecimalOut,
      description:
        "What the change costs for the rest of the current month. Negative if the month costs less. Metered use is not included.",
    },
  }),
  status: OneOf(
    ["completed", "pending"],
    "`completed`: the service has the requested plan. `pending`: the operation has not ended, or the plan changes when the month ends (see `service.pending_plan`).",
  ),
  operation: Nullable(OperationResource, "The operation that changes the plan. Null if nothing had to be changed."),
  poll_url: Nullable(
    Type.String(),
    "URL path to poll for the operation's status. Null if there is none or it has ended.",
  ),
  approval: Nullable(
    ApprovalResource,
    "The approval that the operation waits for. Null unless the operation's status is `requires_approval`.",
  ),
});

export const upgradeServiceRoute = endpoint("POST /api/v1/svc/projects/:project_id/services/:service_id/upgrade", {
  operationId: "upgradeService",
  sdk: "projects.services.upgrade",
  summary: "Change the plan of a service",
  description:
    "Changes the plan, to a higher or a lower one. What the new plan costs in addition for the rest of the month is reserved before the provider is called, and counts toward the caps of the project and the provider. The service stays usable. Waits up to 20 seconds for the operation to finish. If the service already has the plan, nothing changes, and a scheduled change is canceled. While an operation that changes the plan needs an operator, the call fails with `conflict`. Fails with `not_upgradable`, `payment_method_required`, `cap_exceeded`, `tos_acceptance_required`, `conflict`, `agent_not_found`, `agent_suspended`, `provider_error` or `provider_unavailable`. If an agent changes the plan, its policies decide first: the call can also fail with `policy_denied` or `kya_required`, or the operation requires an `approval`. After such a failure the service has its former plan.",
  auth: "tenant",
  scope: "services:write",
  replayGuard: "always",
  agentBound: "allowed",
  body: UpgradeServiceRequest,
  answers: { 200: ServiceUpgrade },
  errors: [
    "payment_method_required",
    "provider_error",
    "conflict",
    "not_upgradable",
    "cap_exceeded",
    "tos_acceptance_required",
    "agent_not_found",
    "agent_suspended",
    "provider_unavailable",
    "policy_denied",
    "kya_required",
  ],
  example: { plan: "launch" },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const agentId = actingAgentOf(request);
    const key = projectKeyOf(request, request.params.project_id, agentId);
    const serviceId = pathId("srv", request.params.service_id);
    const { plan, effective, max_monthly_cost: maxMonthlyCost, ...expected } = request.body;
    const command = {
      ...{ actor, key, serviceId, agentId, plan, effective },
      maxMonthlyCostCents: maxMonthlyCost === undefined ? undefined : centsOf("/body/max_monthly_cost", maxMonthlyCost),
      expectedPlan: expected.expected_current_plan,
      acceptTermsVersion: expected.accept_terms_version,
    };
    const resolve = (requested: RequestedPlanChange) => resolveUpgrade(app, key, requested);
    const options = {
      status: 200,
      resolve,
      retentionHours: MONEY_RETENTION_HOURS,
      leaseMs: SHORT_LEASE_MS,
    } as const;
    return replyByReference(app, request, reply, options, (saveResponse) => upgradeService(app, command, saveResponse));
  },
});

/** Returns the current outcome of a change of plan. */
async function resolveUpgrade(
  app: App,
  key: ProjectKey,
  requested: RequestedPlanChange,
): Promise<ReferenceOutcome<Static<typeof ServiceUpgrade>>> {
  const { serviceId, operationId, plan, previousPlan } = requested;
  const operation = operationId === null ? null : await getProjectOperation(app, { key, operationId });
  // With `needs_operator`, the provider may have changed the plan. The response is therefore not an error.
  if (operation !== null && operation.error !== null && operation.status !== "needs_operator") {
    return { kind: "error", error: errorForOperation(operation.error) };
  }
  const service = await getServiceOfOperation(app, key, serviceId);
  const presented = operation && presentOperation(operation);
  const isPending = (operation !== null && operation.status !== "succeeded") || service.pendingPlan === plan;
  return {
    kind: "response",
    body: {
      service: presentService(service),
      previous_plan: previousPlan,
      changed: operationId !== null,
      price_change: {
        old: formatUsdCents(BigInt(requested.oldCents)),
        new: formatUsdCents(BigInt(requested.newCents)),
        old_usage: [...requested.oldUsage],
        new_usage: [...requested.newUsage],
        proration: formatUsdCents(BigInt(requested.prorationCents)),
      },
      status: isPending ? "pending" : "completed",
      operation: presented,
      poll_url: presented?.poll_url ?? null,
      approval: await readApproval(app, key, operation),
    },
  };
}

async function readApproval(app: App, { tenantId }: ProjectKey, operation: Operation | null) {
  if (operation?.status !== "requires_approval") return null;
  return readNewestApproval(app, tenantId, { type: "operation", id: operation.operationId });
}
