import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { formatDecimal } from "../../../foundation/money.ts";
import { DecimalOut } from "../../../foundation/wire/amounts.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import {
  type Charge,
  getProjectStatus,
  type ProjectStatus,
  presentLinkSummary,
  presentServiceSummary,
} from "../../../modules/projects/index.ts";
import type { Server } from "../../route.ts";
import { CapBehavior } from "./project-fields.ts";
import { LinkSummary, ProjectStatusName, ServiceSummary } from "./project-out.ts";
import { projectKeyOf } from "./project-reach.ts";

const ChargeOut = Type.Object(
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

const ProjectStatusOut = Type.Object(
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
      behavior: CapBehavior,
      period_start: Timestamp,
      period_end: Timestamp,
      forecast: DecimalOut,
    }),
    by_provider: Type.Array(
      Type.Object({ provider: Type.String(), cap: Nullable(DecimalOut), spent: DecimalOut }),
    ),
    recent_charges: Type.Array(ChargeOut),
    services: Type.Array(ServiceSummary),
    links: Type.Array(LinkSummary),
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

export function getProjectStatusRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id/status",
    config: { auth: "tenant", scope: "projects:read", agentBound: "allowed" },
    schema: {
      operationId: "getProjectStatus",
      tags: ["Projects"],
      summary: "What the project has used of its cap this month, and its newest charges",
      params: Type.Object({ project_id: Type.String() }),
      response: { 200: ProjectStatusOut, 404: Problem, ...credentialErrors },
    },
    handler: async (request) =>
      presentStatus(await getProjectStatus(app, projectKeyOf(request, request.params.project_id))),
  });
}

function presentStatus({ project, usage, ...status }: ProjectStatus) {
  return {
    project_id: project.projectId,
    status: project.status,
    cap: {
      monthly_cap: usd(project.monthlyCapCents),
      currency: project.currency,
      spent: usd(usage.spentCents),
      reserved: usd(usage.reservedCents),
      remaining: usd(status.remainingCents),
      percent_used: status.percentUsed,
      behavior: project.capBehavior,
      period_start: usage.period.start.toISOString(),
      period_end: usage.period.end.toISOString(),
      forecast: usd(status.forecastCents),
    },
    by_provider: status.byProvider.map(({ provider, capCents, spentCents }) => ({
      provider,
      cap: capCents === null ? null : usd(capCents),
      spent: usd(spentCents),
    })),
    recent_charges: status.recentCharges.map(presentCharge),
    services: project.services.map(presentServiceSummary),
    links: project.links.map(presentLinkSummary),
    pending_actions: status.pendingActions.map((action) => presentAction(project, action)),
    warnings: [...status.warnings],
    // There is no `purser` tool yet, so there is no command to name.
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

function presentCharge(charge: Charge) {
  return {
    charge_id: charge.chargeId,
    service_id: charge.serviceId,
    provider: charge.provider,
    type: charge.type,
    description: charge.description,
    amount: usd(charge.amountCents),
    currency: charge.currency,
    status: charge.status,
    agent_id: charge.agentId,
    payment_id: charge.paymentId,
    occurred_at: charge.occurredAt.toISOString(),
  };
}

function usd(cents: bigint): string {
  return formatDecimal(cents, 2);
}
