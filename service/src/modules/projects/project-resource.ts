import { type Static, Type } from "typebox";
import { formatUsdCents, formatUsdMicros, usdMicrosFromCents } from "../../foundation/money.ts";
import { CAP_BEHAVIORS, LINK_STATUSES, SERVICE_STATUSES } from "../../foundation/vocabulary.ts";
import {
  Count,
  DecimalOut,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { BillingSummary, LinkSummary, ProjectOverview, ServiceSummary } from "./queries.ts";
import { remainingMicros } from "./usage.ts";

export const CapBehaviorName = OneOf(
  CAP_BEHAVIORS,
  "What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.",
);

export const ProjectStatusName = OneOf(
  ["active", "suspended", "deleting", "deleted", "delete_failed"],
  "Status of the project. Services can only be added to an `active` project. `delete_failed`: a provider could not delete a resource; retry the deletion.",
);

export const SPENT =
  "Total of this month's charges whose amounts are final, excluding failed, released and refunded ones.";
export const RESERVED =
  "Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed.";
export const REMAINING = "`monthly_cap` minus `spent` and `reserved`, but never negative.";

export const ProjectLinkResource = NamedObject("ProjectLink", {
  provider: Type.String(),
  status: OneOf(
    LINK_STATUSES,
    "Status of the link to the provider. `pending_auth` until a user completes the link, then `linked`, `failed` or `expired`.",
  ),
});

export const ProjectServiceResource = NamedObject("ProjectService", {
  service_id: Type.String(),
  service: Text("The service's id in the catalog, `provider/slug`, for example `neon/postgres`."),
  status: Type.Enum([...SERVICE_STATUSES]),
});

/** A payment method, without data that would allow charging it. */
export const PaymentMethodResource = NamedObject("PaymentMethod", {
  id: Text("The payment method's id at the payment processor, with the prefix `pm_`."),
  type: Text("Type of the payment method, for example `card`."),
  brand: Type.Optional(Text("Card network, for example `visa`.")),
  last4: Type.Optional(Text("Last four digits of the card number.")),
  exp_month: Type.Optional(Count("Expiry month, 1 to 12.")),
  exp_year: Type.Optional(Count("Expiry year, four digits.")),
});

/** The API representation of a project (docs/rules/projects.md). */
export const ProjectResource = NamedObject("Project", {
  object: Type.Literal("project"),
  project_id: Type.String(),
  mode: ModeName,
  name: Text("The project's name. Unique per account and mode, ignoring case."),
  slug: Text("The name converted to a DNS label of at most 63 characters. Not unique."),
  description: Nullable(Type.String()),
  status: ProjectStatusName,
  monthly_cap: {
    ...DecimalOut,
    description: "Maximum total of the project's charges per calendar month (UTC), in US dollars.",
  },
  currency: Type.Enum(["usd"]),
  cap_behavior: CapBehaviorName,
  provider_caps: Type.Record(Type.String(), DecimalOut, {
    description: "Monthly caps for individual providers. They apply in addition to `monthly_cap`.",
  }),
  usage: Type.Object(
    {
      period_start: { ...Timestamp, description: "Start of the current calendar month (UTC)." },
      period_end: { ...Timestamp, description: "Start of the next calendar month (UTC)." },
      spent: { ...DecimalOut, description: SPENT },
      reserved: { ...DecimalOut, description: RESERVED },
      remaining: { ...DecimalOut, description: REMAINING },
    },
    { description: "Amounts spent, reserved and remaining in the current month." },
  ),
  billing: Type.Object({
    customer_id: Nullable(
      Type.String(),
      "The id of the project's customer at the payment processor. The customer is created when a payment method is first attached or required; null until then.",
    ),
    status: OneOf(
      ["none", "requires_payment_method", "requires_action", "ready", "past_due"],
      "Billing status of the project. `none`: the project has no customer yet. `requires_payment_method`: the project has no payment method. `requires_action`: the payment method must still be confirmed by its owner or the bank. `ready`: the payment method can be charged. `past_due`: an invoice could not be paid. Services that cost money cannot be added until it is paid; attach another payment method to pay it.",
    ),
    default_payment_method: Nullable(
      PaymentMethodResource,
      "The payment method that is charged for the project's services. Null if the project has none.",
    ),
  }),
  environments: ListOf(
    Type.String(),
    "The project's environments. They cannot be changed after the project is created.",
  ),
  links: ListOf(
    ProjectLinkResource,
    "The project's connections to provider accounts (links), one per provider: the link with the status `linked` or, if there is none, the newest link. Revoked links are not included.",
  ),
  services: ListOf(
    ProjectServiceResource,
    "The project's services, newest first. Removed and failed services are not included.",
  ),
  agent_ids: ListOf(
    Type.String(),
    "UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project.",
  ),
  policy_id: Nullable(
    Type.String(),
    "A policy that applies to the project, beside those that name it. Null if there is none.",
  ),
  metadata: Type.Record(Type.String(), Type.String(), {
    description: "Key-value pairs set by the caller.",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(
    Timestamp,
    "When the project was deleted. Always null in responses; set in the `project.deleted` event.",
  ),
});

export function presentProject(project: ProjectOverview): Static<typeof ProjectResource> {
  const { usage } = project;
  return toWire(ProjectResource, project, {
    monthly_cap: formatUsdCents(project.monthlyCapCents),
    provider_caps: Object.fromEntries(
      Object.entries(project.providerCaps).map(([provider, cents]) => [provider, formatUsdCents(BigInt(cents))]),
    ),
    usage: {
      period_start: usage.period.start.toISOString(),
      period_end: usage.period.end.toISOString(),
      spent: formatUsdMicros(usage.spentMicros),
      reserved: formatUsdMicros(usage.reservedMicros),
      remaining: formatUsdMicros(remainingMicros(usdMicrosFromCents(project.monthlyCapCents), usage)),
    },
    billing: {
      customer_id: project.billing?.customerId ?? null,
      status: project.billing?.status ?? "none",
      default_payment_method: presentPaymentMethod(project.billing),
    },
    links: project.links.map(presentProjectLink),
    services: project.services.map(presentProjectService),
  });
}

function presentPaymentMethod(billing: BillingSummary | null) {
  const method = billing?.paymentMethod ?? null;
  return method === null ? null : { ...method };
}

/** Returns the API representation of a link within a project or a project status. */
export function presentProjectLink({ provider, status }: LinkSummary): Static<typeof ProjectLinkResource> {
  return { provider, status };
}

/** Returns the API representation of a service within a project or a project status. */
export function presentProjectService(service: ServiceSummary): Static<typeof ProjectServiceResource> {
  return toWire(ProjectServiceResource, service);
}
