import { type Static, Type } from "typebox";
import { formatUsdCents, formatUsdMicros } from "../../foundation/money.ts";
import { DecimalOut, ListOf, NamedObject, Nullable, Text, Timestamp } from "../../foundation/wire/fields.ts";
import {
  CapBehaviorName,
  ProjectLinkResource,
  ProjectServiceResource,
  ProjectStatusName,
  presentProjectLink,
  presentProjectService,
  REMAINING,
  RESERVED,
  SPENT,
} from "../projects/project-resource.ts";
import { ChargeResource, presentCharge } from "./charges.ts";
import type { ProjectStatus } from "./get-project-status.ts";

/** A project's spending this month, its services, links and pending actions (docs/rules/projects.md). */
export const ProjectStatusResource = NamedObject("ProjectOverview", {
  project_id: Type.String(),
  status: ProjectStatusName,
  cap: Type.Object({
    monthly_cap: DecimalOut,
    currency: Type.Enum(["usd"]),
    spent: { ...DecimalOut, description: SPENT },
    reserved: { ...DecimalOut, description: RESERVED },
    remaining: { ...DecimalOut, description: REMAINING },
    percent_used: Type.Number({
      description: "Percentage of the cap that is spent or reserved, truncated to one decimal place.",
    }),
    behavior: CapBehaviorName,
    period_start: { ...Timestamp, description: "Start of the current calendar month (UTC)." },
    period_end: { ...Timestamp, description: "Start of the next calendar month (UTC)." },
    forecast: {
      ...DecimalOut,
      description:
        "Expected total at the end of the month: `spent` plus `reserved`, because services reserve the whole month in advance.",
    },
  }),
  by_provider: ListOf(
    Type.Object({
      provider: Type.String(),
      cap: Nullable(DecimalOut, "Monthly cap for the provider. Null if the provider has no cap."),
      spent: { ...DecimalOut, description: SPENT },
      reserved: { ...DecimalOut, description: RESERVED },
    }),
    "Providers that have charges this month, a cap, or a service.",
  ),
  recent_charges: ListOf(ChargeResource, "The ten newest charges, regardless of month and status."),
  services: ListOf(
    ProjectServiceResource,
    "The project's services, newest first. Removed and failed services are not included.",
  ),
  links: ListOf(
    ProjectLinkResource,
    "The project's connections to provider accounts (links), one per provider: the link with the status `linked` or, if there is none, the newest link. Revoked links are not included.",
  ),
  pending_actions: ListOf(
    Type.Object({
      type: Type.Enum(["open_url", "attach_payment_method", "confirm_payment_method"]),
      reason: Type.String(),
      provider: Type.Optional(Text("The provider to link. Only included for the `open_url` action.")),
      poll_url: Type.Optional(
        Text(
          "URL path of the provider link. Only included for the `open_url` action. While the provider link is pending, a `GET` request to this path returns the `url` to open, if the caller is allowed to link providers.",
        ),
      ),
    }),
    "Actions that a user must take.",
  ),
  warnings: ListOf(
    Type.Enum(["cap_reached", "cap_nearly_reached", "forecast_over_cap"]),
    "Warnings about the cap. `cap_nearly_reached`: at least 80 percent of the cap is used. `forecast_over_cap`: `forecast` exceeds the cap, because the services that are in place cost more.",
  ),
  next_steps: ListOf(Type.String(), "Commands that resolve the pending actions. Always empty in this API version."),
});

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
      spent: formatUsdMicros(usage.spentMicros),
      reserved: formatUsdMicros(usage.reservedMicros),
      remaining: formatUsdMicros(status.remainingMicros),
      percent_used: status.percentUsed,
      behavior: project.capBehavior,
      period_start: usage.period.start.toISOString(),
      period_end: usage.period.end.toISOString(),
      forecast: formatUsdMicros(status.forecastMicros),
    },
    by_provider: status.byProvider.map(({ provider, capCents, spentMicros, reservedMicros }) => ({
      provider,
      cap: capCents === null ? null : formatUsdCents(capCents),
      spent: formatUsdMicros(spentMicros),
      reserved: formatUsdMicros(reservedMicros),
    })),
    recent_charges: status.recentCharges.map(presentCharge),
    services: project.services.map(presentProjectService),
    links: project.links.map(presentProjectLink),
    pending_actions: status.pendingActions.map((action) => presentAction(project, action)),
    warnings: [...status.warnings],
    // `next_steps` is reserved for commands of a command-line tool. This version has no such tool.
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
