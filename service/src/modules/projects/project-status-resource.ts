import { type Static, Type } from "typebox";
import { formatUsdCents } from "../../foundation/money.ts";
import { DecimalOut } from "../../foundation/wire/amounts.ts";
import { Nullable, Timestamp } from "../../foundation/wire/common.ts";
import type { Charge } from "./charges/queries.ts";
import type { ProjectStatus } from "./get-project-status.ts";
import {
  CapBehaviorName,
  ProjectLinkResource,
  ProjectServiceResource,
  ProjectStatusName,
  presentProjectLink,
  presentProjectService,
} from "./project-resource.ts";

const ChargeResource = Type.Object(
  {
    charge_id: Type.String(),
    service_id: Nullable(Type.String()),
    provider: Type.String(),
    type: Type.Enum(["subscription", "usage", "one_time", "refund", "adjustment"]),
    description: Type.String(),
    amount: DecimalOut,
    currency: Type.Enum(["usd"]),
    status: Type.Enum([
      "reserved",
      "pending",
      "succeeded",
      "failed",
      "released",
      "refunded",
      "disputed",
    ]),
    agent_id: Nullable(Type.String()),
    payment_id: Nullable(Type.String()),
    occurred_at: Timestamp,
  },
  { $id: "Charge" },
);

/** A project's spending against its cap in the current month. */
export const ProjectStatusResource = Type.Object(
  {
    project_id: Type.String(),
    status: ProjectStatusName,
    cap: Type.Object({
      monthly_cap: DecimalOut,
      currency: Type.Enum(["usd"]),
      spent: DecimalOut,
      reserved: DecimalOut,
      remaining: DecimalOut,
      percent_used: Type.Number({ description: "Of spent and reserved, cut to one decimal." }),
      behavior: CapBehaviorName,
      period_start: Timestamp,
      period_end: Timestamp,
      forecast: DecimalOut,
    }),
    by_provider: Type.Array(
      Type.Object({ provider: Type.String(), cap: Nullable(DecimalOut), spent: DecimalOut }),
    ),
    recent_charges: Type.Array(ChargeResource),
    services: Type.Array(ProjectServiceResource),
    links: Type.Array(ProjectLinkResource),
    pending_actions: Type.Array(
      Type.Object({
        type: Type.Enum(["open_url", "attach_payment_method", "confirm_payment_method"]),
        reason: Type.String(),
        provider: Type.Optional(Type.String()),
        poll_url: Type.Optional(
          Type.String({
            description: "The link, which tells the address to open to callers that may link.",
          }),
        ),
      }),
    ),
    warnings: Type.Array(Type.Enum(["cap_reached", "cap_nearly_reached", "forecast_over_cap"])),
    next_steps: Type.Array(Type.String(), { description: "Commands of the `purser` tool." }),
  },
  { $id: "ProjectStatus" },
);

export function presentProjectStatus({
  project,
  usage,
  ...status
}: ProjectStatus): Static<typeof ProjectStatusResource> {
  return {
    project_id: project.projectId,
    status: project.status,
    cap: {
      monthly_cap: formatUsdCents(project.monthlyCapCents),
      currency: project.currency,
      spent: formatUsdCents(usage.spentCents),
      reserved: formatUsdCents(usage.reservedCents),
      remaining: formatUsdCents(status.remainingCents),
      percent_used: status.percentUsed,
      behavior: project.capBehavior,
      period_start: usage.period.start.toISOString(),
      period_end: usage.period.end.toISOString(),
      forecast: formatUsdCents(status.forecastCents),
    },
    by_provider: status.byProvider.map(({ provider, capCents, spentCents }) => ({
      provider,
      cap: capCents === null ? null : formatUsdCents(capCents),
      spent: formatUsdCents(spentCents),
    })),
    recent_charges: status.recentCharges.map(presentCharge),
    services: project.services.map(presentProjectService),
    links: project.links.map(presentProjectLink),
    pending_actions: status.pendingActions.map((action) => presentAction(project, action)),
    warnings: [...status.warnings],
    // There is no CLI yet, so there is no command to name.
    next_steps: [],
  };
}

function presentAction(
  { projectId }: ProjectStatus["project"],
  { type, reason, link }: ProjectStatus["pendingActions"][number],
) {
  if (link === null) return { type, reason };
  const { provider, linkId } = link;
  const poll_url = `/api/v1/svc/projects/${projectId}/links/${linkId}`;
  return { type, reason, provider, poll_url };
}

function presentCharge(charge: Charge): Static<typeof ChargeResource> {
  return {
    charge_id: charge.chargeId,
    service_id: charge.serviceId,
    provider: charge.provider,
    type: charge.type,
    description: charge.description,
    amount: formatUsdCents(charge.amountCents),
    currency: charge.currency,
    status: charge.status,
    agent_id: charge.agentId,
    payment_id: charge.paymentId,
    occurred_at: charge.occurredAt.toISOString(),
  };
}
