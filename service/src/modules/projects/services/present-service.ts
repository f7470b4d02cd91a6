import { formatDecimal } from "../../../foundation/money.ts";
import type { CatalogPlan } from "../catalog.ts";
import { findCatalogService, findOffer, type Offer } from "./find-offer.ts";
import type { Service } from "./queries.ts";

/**
 * A service as the wire and its events show it (contract, section 3). What is fixed for it comes from its row, and what the
 * provider says of its kind from the catalog.
 */
export function presentService(service: Service) {
  const offer = findOffer(service);
  return {
    object: "service" as const,
    service_id: service.serviceId,
    project_id: service.projectId,
    mode: service.mode,
    link_id: service.linkId,
    provider: service.provider,
    service: service.service,
    name: service.name,
    plan: service.plan,
    status: service.status,
    region: service.region,
    config: service.config,
    environments: [...service.environments],
    env_prefix: service.envPrefix,
    env_names: Object.values(service.envNames).sort(),
    credential: {
      version: service.credentialVersion,
      type: offer?.service.credential_type ?? "single",
      rotated_at: service.credentialRotatedAt?.toISOString() ?? null,
      // Nothing rotates yet, so no credential has had another before it, nor is any given for a time.
      previous_valid_until: null,
      expires_at: null,
    },
    pricing: presentPricing(service, offer),
    allowed_updates: [...(offer?.plan.allowed_updates ?? [])],
    deprovision_effect: deprovisionEffectOf(service),
    provider_resource_id: service.providerResourceId,
    dashboard_url_available: false,
    notification: null,
    agent_id: service.agentId,
    metadata: service.metadata,
    created_at: service.createdAt.toISOString(),
    updated_at: service.updatedAt.toISOString(),
    removed_at: service.removedAt?.toISOString() ?? null,
  };
}

/**
 * A fixed price is the one that the service was added at, whatever the catalog has come to ask since. What is paid by use
 * alone has none: its catalog entry says what a unit costs.
 */
function presentPricing({ priceCents }: Service, offer: Offer | undefined) {
  const pricing = offer?.plan.pricing ?? withoutOffer(priceCents);
  if (pricing.type === "free") return { type: pricing.type };
  return {
    type: pricing.type,
    ...(pricing.amount !== undefined && { amount: formatDecimal(priceCents, 2) }),
    currency: "usd" as const,
    interval: pricing.interval ?? ("month" as const),
  };
}

function withoutOffer(priceCents: bigint): CatalogPlan["pricing"] {
  return priceCents > 0n
    ? { type: "paid", amount: formatDecimal(priceCents, 2) }
    : { type: "free" };
}

/** What removing the service does to the provider's resource. One that was there before us stays there. */
function deprovisionEffectOf(service: Pick<Service, "service" | "adopted">): "destroy" | "detach" {
  if (service.adopted) return "detach";
  return findCatalogService(service.service)?.deprovision_effect ?? "destroy";
}

/** The same, as what becomes of the resource. */
export function removalEffectOf(
  service: Pick<Service, "service" | "adopted">,
): "destroyed" | "detached" {
  return deprovisionEffectOf(service) === "detach" ? "detached" : "destroyed";
}
