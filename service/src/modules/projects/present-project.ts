import { formatDecimal } from "../../foundation/money.ts";
import type { BillingSummary, LinkSummary, ProjectOverview, ServiceSummary } from "./queries.ts";
import { remainingCents } from "./usage.ts";

/**
 * A project as the wire and its events show it (contract, section 3). It stands here and not at the edge because the event
 * of a change carries it too, and is written in the change's own transaction.
 */
export function presentProject(project: ProjectOverview) {
  const { usage } = project;
  return {
    object: "project" as const,
    project_id: project.projectId,
    mode: project.mode,
    name: project.name,
    slug: project.slug,
    description: project.description,
    status: project.status,
    monthly_cap: usd(project.monthlyCapCents),
    currency: project.currency,
    cap_behavior: project.capBehavior,
    provider_caps: Object.fromEntries(
      Object.entries(project.providerCaps).map(([provider, cents]) => [
        provider,
        usd(BigInt(cents)),
      ]),
    ),
    usage: {
      period_start: usage.period.start.toISOString(),
      period_end: usage.period.end.toISOString(),
      spent: usd(usage.spentCents),
      reserved: usd(usage.reservedCents),
      remaining: usd(remainingCents(project.monthlyCapCents, usage)),
    },
    billing: {
      customer_id: project.billing?.customerId ?? null,
      status: project.billing?.status ?? ("none" as const),
      default_payment_method: presentPaymentMethod(project.billing),
    },
    environments: [...project.environments],
    links: project.links.map(presentLinkSummary),
    services: project.services.map(presentServiceSummary),
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

/** How a project stands with a provider, as the project and its status show it. */
export function presentLinkSummary({ provider, status }: LinkSummary) {
  return { provider, status };
}

/** A service in brief, as the project and its status show it. */
export function presentServiceSummary({ serviceId, service, status }: ServiceSummary) {
  return { service_id: serviceId, service, status };
}

function usd(cents: bigint): string {
  return formatDecimal(cents, 2);
}
