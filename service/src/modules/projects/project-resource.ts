import { type Static, Type } from "typebox";
import { formatUsdCents } from "../../foundation/money.ts";
import { CAP_BEHAVIORS, LINK_STATUSES, SERVICE_STATUSES } from "../../foundation/vocabulary.ts";
import { DecimalOut } from "../../foundation/wire/amounts.ts";
import { ModeName, Nullable, Timestamp } from "../../foundation/wire/common.ts";
import type { BillingSummary, LinkSummary, ProjectOverview, ServiceSummary } from "./queries.ts";
import { remainingCents } from "./usage.ts";

export const CapBehaviorName = Type.Enum([...CAP_BEHAVIORS], {
  description: "What a charge over the cap does: it is refused, or it waits for an approval.",
});

export const ProjectStatusName = Type.Enum([
  "active",
  "suspended",
  "deleting",
  "deleted",
  "delete_failed",
]);

export const ProjectLinkResource = Type.Object(
  {
    provider: Type.String(),
    status: Type.Enum([...LINK_STATUSES]),
  },
  { $id: "ProjectLink" },
);

export const ProjectServiceResource = Type.Object(
  {
    service_id: Type.String(),
    service: Type.String(),
    status: Type.Enum([...SERVICE_STATUSES]),
  },
  { $id: "ProjectService" },
);

/** A payment method, without the parts that could charge it. */
export const PaymentMethodResource = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    brand: Type.Optional(Type.String()),
    last4: Type.Optional(Type.String()),
    exp_month: Type.Optional(Type.Integer()),
    exp_year: Type.Optional(Type.Integer()),
  },
  { $id: "PaymentMethod" },
);

/** A project (docs/api.md). */
export const ProjectResource = Type.Object(
  {
    object: Type.Literal("project"),
    project_id: Type.String(),
    mode: ModeName,
    name: Type.String(),
    slug: Type.String(),
    description: Nullable(Type.String()),
    status: ProjectStatusName,
    monthly_cap: DecimalOut,
    currency: Type.Enum(["usd"]),
    cap_behavior: CapBehaviorName,
    provider_caps: Type.Record(Type.String(), DecimalOut),
    usage: Type.Object({
      period_start: Timestamp,
      period_end: Timestamp,
      spent: DecimalOut,
      reserved: DecimalOut,
      remaining: DecimalOut,
    }),
    billing: Type.Object({
      customer_id: Nullable(Type.String()),
      status: Type.Enum([
        "none",
        "requires_payment_method",
        "requires_action",
        "ready",
        "past_due",
      ]),
      default_payment_method: Nullable(PaymentMethodResource),
    }),
    environments: Type.Array(Type.String()),
    links: Type.Array(ProjectLinkResource),
    services: Type.Array(ProjectServiceResource),
    agent_ids: Type.Array(Type.String()),
    policy_id: Nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Nullable(Timestamp),
  },
  { $id: "Project" },
);

/** The body of answers and of project events. */
export function presentProject(project: ProjectOverview): Static<typeof ProjectResource> {
  const { usage } = project;
  return {
    object: "project",
    project_id: project.projectId,
    mode: project.mode,
    name: project.name,
    slug: project.slug,
    description: project.description,
    status: project.status,
    monthly_cap: formatUsdCents(project.monthlyCapCents),
    currency: project.currency,
    cap_behavior: project.capBehavior,
    provider_caps: Object.fromEntries(
      Object.entries(project.providerCaps).map(([provider, cents]) => [
        provider,
        formatUsdCents(BigInt(cents)),
      ]),
    ),
    usage: {
      period_start: usage.period.start.toISOString(),
      period_end: usage.period.end.toISOString(),
      spent: formatUsdCents(usage.spentCents),
      reserved: formatUsdCents(usage.reservedCents),
      remaining: formatUsdCents(remainingCents(project.monthlyCapCents, usage)),
    },
    billing: {
      customer_id: project.billing?.customerId ?? null,
      status: project.billing?.status ?? "none",
      default_payment_method: presentPaymentMethod(project.billing),
    },
    environments: [...project.environments],
    links: project.links.map(presentProjectLink),
    services: project.services.map(presentProjectService),
    agent_ids: [...project.agentIds],
    policy_id: project.policyId,
    metadata: project.metadata,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
    deleted_at: project.deletedAt?.toISOString() ?? null,
  };
}

function presentPaymentMethod(billing: BillingSummary | null) {
  const method = billing?.paymentMethod ?? null;
  return method === null ? null : { ...method };
}

/** A link in a project and in its status. */
export function presentProjectLink({
  provider,
  status,
}: LinkSummary): Static<typeof ProjectLinkResource> {
  return { provider, status };
}

/** A service in a project and in its status. */
export function presentProjectService({
  serviceId,
  service,
  status,
}: ServiceSummary): Static<typeof ProjectServiceResource> {
  return { service_id: serviceId, service, status };
}
