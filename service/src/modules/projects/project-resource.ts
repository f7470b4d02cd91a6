import { type Static, Type } from "typebox";
import { formatUsdCents } from "../../foundation/money.ts";
import { CAP_BEHAVIORS, LINK_STATUSES, SERVICE_STATUSES } from "../../foundation/vocabulary.ts";
import { DecimalOut } from "../../foundation/wire/amounts.ts";
import { ModeName, Nullable, Timestamp } from "../../foundation/wire/fields.ts";
import type { BillingSummary, LinkSummary, ProjectOverview, ServiceSummary } from "./queries.ts";
import { remainingCents } from "./usage.ts";

export const CapBehaviorName = Type.Enum([...CAP_BEHAVIORS], {
  description:
    "Reserved for approvals. In this version a charge over a cap is refused with 403 `cap_exceeded` for both values.",
});

export const ProjectStatusName = Type.Enum(
  ["active", "suspended", "deleting", "deleted", "delete_failed"],
  {
    description:
      "Services can be added to an `active` project only. `delete_failed`: a provider did not delete a resource; delete the project again.",
  },
);

export const SPENT = "Sum of the month's charges, without failed, released and refunded ones.";
export const RESERVED =
  "Sum of the month's reservations: prices of services that are being added, and expected use.";
export const REMAINING = "`monthly_cap` minus `spent` and `reserved`, at least zero.";

export const ProjectLinkResource = Type.Object(
  {
    provider: Type.String(),
    status: Type.Enum([...LINK_STATUSES], {
      description:
        "`pending_auth` until a person completes the link, then `linked`, `failed` or `expired`.",
    }),
  },
  { $id: "ProjectLink" },
);

export const ProjectServiceResource = Type.Object(
  {
    service_id: Type.String(),
    service: Type.String({ description: "Id in the catalog: `provider/slug`." }),
    status: Type.Enum([...SERVICE_STATUSES]),
  },
  { $id: "ProjectService" },
);

/** A payment method, without data that would allow charging it. */
export const PaymentMethodResource = Type.Object(
  {
    id: Type.String({ description: "The payment processor's id: `pm_…`." }),
    type: Type.String({ description: "For example `card`." }),
    brand: Type.Optional(Type.String({ description: "Card network, for example `visa`." })),
    last4: Type.Optional(Type.String({ description: "Last four digits of the card number." })),
    exp_month: Type.Optional(Type.Integer({ description: "Month of expiry, 1 to 12." })),
    exp_year: Type.Optional(Type.Integer({ description: "Year of expiry, four digits." })),
  },
  { $id: "PaymentMethod" },
);

/** A project (docs/api.md, section 18). */
export const ProjectResource = Type.Object(
  {
    object: Type.Literal("project"),
    project_id: Type.String(),
    mode: ModeName,
    name: Type.String({ description: "Unique for each tenant and mode. Case is ignored." }),
    slug: Type.String({
      description: "The name as a DNS label of at most 63 characters. Not unique.",
    }),
    description: Nullable(Type.String()),
    status: ProjectStatusName,
    monthly_cap: {
      ...DecimalOut,
      description: "Maximum total of the project's charges in a calendar month (UTC).",
    },
    currency: Type.Enum(["usd"]),
    cap_behavior: CapBehaviorName,
    provider_caps: Type.Record(Type.String(), DecimalOut, {
      description:
        "Monthly caps of single providers, by provider. They apply in addition to `monthly_cap`.",
    }),
    usage: Type.Object(
      {
        period_start: { ...Timestamp, description: "Start of the calendar month in UTC." },
        period_end: { ...Timestamp, description: "Start of the next month." },
        spent: { ...DecimalOut, description: SPENT },
        reserved: { ...DecimalOut, description: RESERVED },
        remaining: { ...DecimalOut, description: REMAINING },
      },
      { description: "Usage of `monthly_cap` in the current month." },
    ),
    billing: Type.Object({
      customer_id: {
        ...Nullable(Type.String()),
        description:
          "The project's customer at the payment processor. Null until a payment method is attached or required.",
      },
      status: Type.Enum(
        ["none", "requires_payment_method", "requires_action", "ready", "past_due"],
        {
          description:
            "`none` without a customer. `requires_action`: the owner or the bank has to confirm the payment method. `ready`: it can be charged. `past_due`: the last charge failed.",
        },
      ),
      default_payment_method: {
        ...Nullable(PaymentMethodResource),
        description: "The payment method for the project's charges.",
      },
    }),
    environments: Type.Array(Type.String(), {
      description:
        "The project's environments. They cannot be changed after the project is created.",
    }),
    links: Type.Array(ProjectLinkResource, {
      description:
        "One link for each provider: the linked one, or else the newest. Without revoked links.",
    }),
    services: Type.Array(ProjectServiceResource, {
      description: "Newest first, without removed and failed services.",
    }),
    agent_ids: Type.Array(Type.String(), {
      description: "Agents that can use the project. Keys bound to one of them reach it. UUIDs.",
    }),
    policy_id: {
      ...Nullable(Type.String()),
      description: "Always null, because this version has no policies.",
    },
    metadata: Type.Record(Type.String(), Type.String(), { description: "Texts of the caller." }),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: {
      ...Nullable(Timestamp),
      description: "Null, except in the event of the deletion.",
    },
  },
  { $id: "Project" },
);

/** Returns the API representation of a project, which is used in responses and in events. */
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

/** Returns a link as shown in a project and in the project's status. */
export function presentProjectLink({
  provider,
  status,
}: LinkSummary): Static<typeof ProjectLinkResource> {
  return { provider, status };
}

/** Returns a service as shown in a project and in the project's status. */
export function presentProjectService({
  serviceId,
  service,
  status,
}: ServiceSummary): Static<typeof ProjectServiceResource> {
  return { service_id: serviceId, service, status };
}
