import { type Static, Type } from "typebox";
import type { Json } from "../../../foundation/canonical-json.ts";
import { formatUsdCents } from "../../../foundation/money.ts";
import { SERVICE_STATUSES } from "../../../foundation/vocabulary.ts";
import { DecimalOut } from "../../../foundation/wire/amounts.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import type { CatalogPlan } from "../catalog.ts";
import { findCatalogService, findOfferedPlan, type OfferedPlan } from "./find-offered-plan.ts";
import type { Service } from "./queries.ts";

/** A service (docs/api.md). */
export const ServiceResource = Type.Object(
  {
    object: Type.Literal("service"),
    service_id: Type.String(),
    project_id: Type.String(),
    mode: ModeName,
    link_id: Type.String(),
    provider: Type.String(),
    service: Type.String({ description: "As the catalog names it: `provider/slug`." }),
    name: Type.String(),
    plan: Type.String(),
    status: Type.Enum([...SERVICE_STATUSES]),
    region: Type.String(),
    config: Type.Unsafe<Readonly<Record<string, Json>>>(Type.Record(Type.String(), Type.Unknown())),
    environments: Type.Array(Type.String()),
    env_prefix: Nullable(Type.String()),
    env_names: Type.Array(Type.String(), {
      description:
        "The names of its variables in the project's environments. Fixed when the service is added.",
    }),
    credential: Type.Object({
      version: Type.Integer({ description: "0 until there is one." }),
      type: Type.Enum(["single", "multiple"]),
      rotated_at: Nullable(Timestamp),
      previous_valid_until: Nullable(Timestamp),
      expires_at: Nullable(Timestamp),
    }),
    pricing: Type.Object({
      type: Type.Enum(["free", "paid", "component", "usage"]),
      amount: Type.Optional(DecimalOut),
      currency: Type.Optional(Type.Enum(["usd"])),
      interval: Type.Optional(Type.Enum(["month", "year"])),
    }),
    allowed_updates: Type.Array(Type.String()),
    deprovision_effect: Type.Enum(["destroy", "detach"]),
    provider_resource_id: Nullable(Type.String()),
    dashboard_url_available: Type.Boolean(),
    notification: Nullable(
      Type.Object({ level: Type.String(), title: Type.String(), href: Type.String() }),
    ),
    agent_id: Nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    removed_at: Nullable(Timestamp),
  },
  { $id: "Service" },
);

/** The body of answers and of service events. */
export function presentService(service: Service): Static<typeof ServiceResource> {
  const offer = findOfferedPlan(service);
  return {
    object: "service",
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
function presentPricing(
  { priceCents }: Service,
  offer: OfferedPlan | undefined,
): Static<typeof ServiceResource>["pricing"] {
  const pricing = offer?.plan.pricing ?? withoutOffer(priceCents);
  if (pricing.type === "free") return { type: pricing.type };
  return {
    type: pricing.type,
    ...(pricing.amount !== undefined && { amount: formatUsdCents(priceCents) }),
    currency: "usd",
    interval: pricing.interval ?? "month",
  };
}

function withoutOffer(priceCents: bigint): CatalogPlan["pricing"] {
  return priceCents > 0n ? { type: "paid", amount: formatUsdCents(priceCents) } : { type: "free" };
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
