import { Type } from "typebox";
import { LINK_STATUSES, SERVICE_STATUSES } from "../../../foundation/vocabulary.ts";
import { DecimalOut } from "../../../foundation/wire/amounts.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import { CapBehavior } from "./project-fields.ts";

export const ProjectStatusName = Type.Enum([
  "active",
  "suspended",
  "deleting",
  "deleted",
  "delete_failed",
]);

export const LinkSummary = Type.Object({
  provider: Type.String(),
  status: Type.Enum([...LINK_STATUSES]),
});

export const ServiceSummary = Type.Object({
  service_id: Type.String(),
  service: Type.String(),
  status: Type.Enum([...SERVICE_STATUSES]),
});

/** A payment method as it may be shown. */
export const PaymentMethodOut = Type.Object({
  id: Type.String(),
  type: Type.String(),
  brand: Type.Optional(Type.String()),
  last4: Type.Optional(Type.String()),
  exp_month: Type.Optional(Type.Integer()),
  exp_year: Type.Optional(Type.Integer()),
});

/** What `presentProject` makes (contract, section 3). */
export const ProjectOut = Type.Object(
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
    cap_behavior: CapBehavior,
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
      default_payment_method: Nullable(PaymentMethodOut),
    }),
    environments: Type.Array(Type.String()),
    links: Type.Array(LinkSummary),
    services: Type.Array(ServiceSummary),
    agent_ids: Type.Array(Type.String()),
    policy_id: Nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Nullable(Timestamp),
  },
  { $id: "Project" },
);

export const DeletionEffect = Type.Object({
  service_id: Type.String(),
  effect: Type.Enum(["destroyed", "detached", "failed"]),
  detail: Nullable(Type.String()),
});
