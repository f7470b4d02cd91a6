import { Type } from "typebox";
import { AppError } from "../../../../foundation/errors.ts";
import { isId, type ServiceId } from "../../../../foundation/ids.ts";
import { SERVICE_STATUSES } from "../../../../foundation/vocabulary.ts";
import { DecimalOut } from "../../../../foundation/wire/amounts.ts";
import { ModeName, Nullable, Timestamp } from "../../../../foundation/wire/common.ts";

/** What `presentService` makes (contract, section 3). */
export const ServiceOut = Type.Object(
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
    config: Type.Record(Type.String(), Type.Unknown()),
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

/** The service that a path names. An id of the wrong form is as absent as one that nobody has. */
export function serviceIdOf(text: string): ServiceId {
  if (isId("srv", text)) return text;
  throw new AppError("service_not_found", { internal: "not the form of a service's id" });
}
