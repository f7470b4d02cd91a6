import { formatDecimal } from "../../foundation/money.ts";
import type { ProjectWithUsage } from "./queries.ts";
import { remainingCents } from "./usage.ts";

/**
 * A project as the wire and its events show it (contract, section 3). It stands here and not at the edge because the event
 * of a change carries it too, and is written in the change's own transaction.
 */
export function presentProject(project: ProjectWithUsage) {
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
    // Billing, links and services have no tables yet.
    billing: { customer_id: null, status: "none" as const, default_payment_method: null },
    environments: [...project.environments],
    links: [],
    services: [],
    agent_ids: [...project.agentIds],
    policy_id: project.policyId,
    metadata: project.metadata,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
    deleted_at: project.deletedAt?.toISOString() ?? null,
  };
}

function usd(cents: bigint): string {
  return formatDecimal(cents, 2);
}
