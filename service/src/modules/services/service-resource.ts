import { type Static, Type } from "typebox";
import type { Json } from "../../foundation/canonical-json.ts";
import { formatUsdCents } from "../../foundation/money.ts";
import { SERVICE_STATUSES } from "../../foundation/vocabulary.ts";
import {
  Count,
  DecimalOut,
  Flag,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { type CatalogPlan, hasDashboard } from "../catalog/catalog.ts";
import { findCatalogService, findOfferedPlan, findPriceChange, priceOf } from "../catalog/plans.ts";
import { findMeteredPlan } from "../charges/charge-amount.ts";
import type { Service } from "./queries.ts";
import type { CredentialPull } from "./rotation/queries.ts";

/** Maximum number of API keys in `credential.pulled_by`. */
export const PULLERS_MAX = 50;

/** The API representation of a service (docs/rules/services.md). */
export const ServiceResource = NamedObject("Service", {
  object: Type.Literal("service"),
  service_id: Type.String(),
  project_id: Type.String(),
  mode: ModeName,
  link_id: Text("The id of the link to the provider that was used to add the service."),
  provider: Type.String(),
  service: Text("The service's id in the catalog, `provider/slug`, for example `neon/postgres`."),
  name: Text("The service's name, unique within the project."),
  plan: Type.String(),
  status: OneOf(
    SERVICE_STATUSES,
    "Status of the service. `active`: the service can be used. `pending` and `provisioning`: the service is being added. `updating`: its plan is being changed, and its variables stay valid. `rotating`: a new credential is being issued, and its variables stay valid. `failed`: the service could not be added, and everything created for it was removed.",
  ),
  region: Type.String(),
  config: Type.Unsafe<Readonly<Record<string, Json>>>(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "The `config` from the request that added the service.",
    }),
  ),
  environments: ListOf(Type.String(), "Environments whose env bundles contain the service's variables."),
  env_prefix: Nullable(Type.String(), "Prefix for the names of the service's variables. Null if no prefix was set."),
  env_names: ListOf(
    Type.String(),
    "Names of the service's variables in env bundles. They are fixed when the service is added.",
  ),
  credential: Type.Object(
    {
      version: Count("Version of the credential, starting at 1. 0 if no credential has been issued yet."),
      type: OneOf(
        ["single", "multiple"],
        "How many valid credentials a resource can have at the same time. `single`: one. `multiple`: several.",
      ),
      rotated_at: Nullable(
        Timestamp,
        "When this version of the credential was issued. Null if no credential has been issued yet.",
      ),
      previous_valid_until: Nullable(
        Timestamp,
        "When the former credential is retired. Null if the former credential is not valid.",
      ),
      pulled_by: Type.Optional(
        Type.Array(
          Type.Object(
            {
              key_id: Type.String(),
              version: Count("The version that the API key has pulled last."),
              pulled_at: Timestamp,
            },
            { $id: "CredentialPull" },
          ),
          {
            maxItems: PULLERS_MAX,
            description: `The API keys that have pulled the credential, at most ${PULLERS_MAX}: those with the oldest versions first, then the newest pulls first. A pull within a minute after another one of the same version is not recorded. Only in the response to getService.`,
          },
        ),
      ),
      expires_at: Nullable(Timestamp, "When the credential expires. `null` if it never expires."),
    },
    { $id: "ServiceCredential" },
  ),
  pricing: Type.Object(
    {
      type: Type.Enum(["free", "paid", "component", "usage"]),
      amount: Type.Optional({
        ...DecimalOut,
        description: "Fixed price per billing interval. Absent if the service is billed by use only.",
      }),
      currency: Type.Optional(Type.Enum(["usd"])),
      interval: Type.Optional(Type.Enum(["month", "year"])),
    },
    {
      $id: "ServicePrice",
      description:
        "Price of the service. It is the price when the service got its plan, except for a provider with the protocol `native` that bills the plan itself: then it is the price in the catalog.",
    },
  ),
  allowed_updates: ListOf(Type.String(), "Ids of the plans that the service can switch to."),
  pending_plan: Nullable(
    Type.Object(
      {
        plan: Type.String(),
        effective_at: {
          ...Timestamp,
          description: "The start of the next calendar month (UTC).",
        },
      },
      { $id: "PendingPlan" },
    ),
    "The plan that the service changes to when the month ends. Null if no change is scheduled. A change to the current plan cancels it.",
  ),
  deprovision_effect: OneOf(
    ["destroy", "detach"],
    "What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider, for example because the service was added with `existing_resource_id`, or because the provider keeps its data and ends only Purser's access.",
  ),
  provider_resource_id: Nullable(
    Type.String(),
    "The resource's id at the provider. Null until the resource is created.",
  ),
  dashboard_url_available: Flag(
    "Whether `POST /projects/{project_id}/services/{service_id}/deep-link` returns a URL of the provider's dashboard.",
  ),
  notification: Nullable(
    NamedObject("ServiceNotification", { level: Type.String(), title: Type.String(), href: Type.String() }),
    "Something that the owner should know. Null if there is nothing. `level` is `error` if the resource was not found at the provider, for example because it was deleted there; `href` is then the URL path of the service. `level` is `warn` if the provider has changed the price of the plan: `title` names both prices, and `href` is the URL path of the provider's catalog entry.",
  ),
  agent_id: Nullable(Type.String(), "The UUID of the agent that added the service. Null if the developer added it."),
  metadata: Type.Record(Type.String(), Type.String(), {
    description: "Key-value pairs set by the caller.",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  removed_at: Nullable(Timestamp, "When the service was removed. Null if it has not been removed."),
});

export function presentService(service: Service): Static<typeof ServiceResource> {
  const offer = findOfferedPlan(service);
  return toWire(ServiceResource, service, {
    env_names: Object.values(service.envNames).sort(),
    credential: {
      version: service.credentialVersion,
      type: offer?.service.credential_type ?? "single",
      rotated_at: service.credentialRotatedAt?.toISOString() ?? null,
      previous_valid_until: service.credentialPreviousValidUntil?.toISOString() ?? null,
      // No provider's credentials expire.
      expires_at: null,
    },
    pricing: presentPricing(service),
    allowed_updates: [...(offer?.plan.allowed_updates ?? [])],
    pending_plan: presentPendingPlan(service),
    deprovision_effect: deprovisionEffectOf(service),
    dashboard_url_available: service.status === "active" && hasDashboard(service.provider),
    notification: presentNotification(service),
  });
}

/** Returns the API representation of a service, with the API keys that have pulled its credential. */
export function presentServiceWithPulls(
  service: Service,
  pulls: readonly CredentialPull[],
): Static<typeof ServiceResource> {
  const presented = presentService(service);
  const pulledBy = pulls.map(({ keyId, version, pulledAt }) => ({
    key_id: keyId,
    version,
    pulled_at: pulledAt.toISOString(),
  }));
  return { ...presented, credential: { ...presented.credential, pulled_by: pulledBy } };
}

function presentPendingPlan({
  pendingPlan: plan,
  pendingPlanAt,
}: Service): Static<typeof ServiceResource>["pending_plan"] {
  if (plan === null || pendingPlanAt === null) return null;
  return { plan, effective_at: pendingPlanAt.toISOString() };
}

/**
 * Returns what the service costs, even if the catalog shows another price. Plans billed only by usage have no fixed price;
 * their unit prices are in the catalog.
 */
function presentPricing(service: Service): Static<typeof ServiceResource>["pricing"] {
  const { priceCents } = priceOf(service);
  const pricing = findMeteredPlan(service)?.pricing ?? fixedPricing(priceCents);
  if (pricing.type === "free") return { type: pricing.type };
  return {
    type: pricing.type,
    ...(pricing.amount !== undefined && { amount: formatUsdCents(priceCents) }),
    currency: "usd",
    interval: pricing.interval ?? "month",
  };
}

function fixedPricing(priceCents: bigint): CatalogPlan["pricing"] {
  return priceCents > 0n ? { type: "paid", amount: formatUsdCents(priceCents) } : { type: "free" };
}

function presentNotification(service: Service): Static<typeof ServiceResource>["notification"] {
  const { projectId, serviceId, provider, resourceMissingSince: since } = service;
  if (since !== null) {
    return {
      level: "error",
      title: `The resource was not found at ${provider} at ${since.toISOString()}. Its variables may not work. If it was deleted there, remove the service.`,
      href: `/api/v1/svc/projects/${projectId}/services/${serviceId}`,
    };
  }
  const change = findPriceChange(service);
  if (change === undefined) return null;
  const [agreed, current] = [change.agreedCents, change.currentCents].map(formatUsdCents);
  return {
    level: "warn",
    title: `The provider's current price of the plan ${service.plan} is ${current} USD per month. This service costs ${agreed} USD per month.`,
    href: `/api/v1/svc/projects/catalog?provider=${service.provider}`,
  };
}

/** Returns what removing the service will do to its resource at the provider. Adopted resources are only detached. */
function deprovisionEffectOf(service: Pick<Service, "service" | "adopted">): "destroy" | "detach" {
  if (service.adopted) return "detach";
  return findCatalogService(service.service)?.deprovision_effect ?? "destroy";
}

/** Returns the result of `deprovisionEffectOf` in the past tense, for removal responses and reports. */
export function removalEffectOf(service: Pick<Service, "service" | "adopted">): "destroyed" | "detached" {
  return deprovisionEffectOf(service) === "detach" ? "detached" : "destroyed";
}
