import { type Static, Type } from "typebox";
import { Nullable } from "../../foundation/wire/fields.ts";
import { NamedObject } from "../../foundation/wire/named-object.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { ChargeResource, presentCharge } from "../../modules/charges/charges.ts";
import { removalEffectOf } from "../../modules/services/service-resource.ts";
import type { DeletionPreview, DeletionReport } from "./request-deletion.ts";

const DeletionEffectResource = NamedObject("DeletionEffect", {
  service_id: Type.String(),
  effect: Type.Enum(["destroyed", "detached", "failed"], {
    description:
      "What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider. `failed`: it could not be deleted.",
  }),
  detail: Nullable(Type.String(), "Why the resource could not be deleted. Null unless `effect` is `failed`."),
});

export const ProjectDeletionResource = NamedObject("ProjectDeletion", {
  project_id: Type.String(),
  status: Type.Enum(["deleting", "deleted"], {
    description:
      "Status of the deletion. `deleting` until all services are removed. Repeat the request to check the progress.",
  }),
  services: Type.Array(DeletionEffectResource, {
    description: "What happens to each of the project's services, oldest first.",
  }),
  kept_customer_id: Nullable(
    Type.String(),
    "The id of the project's customer at the payment processor, if it stays until the project's last invoice is paid or void. Otherwise null.",
  ),
});

export function presentProjectDeletion(report: DeletionReport): Static<typeof ProjectDeletionResource> {
  return toWire(ProjectDeletionResource, report, {
    services: report.services.map((service) => toWire(DeletionEffectResource, service)),
  });
}

export const ProjectDeletionPreviewResource = NamedObject("ProjectDeletionPreview", {
  object: Type.Literal("project_deletion_preview"),
  project_id: Type.String(),
  name: Type.String(),
  services: Type.Array(DeletionEffectResource, {
    description: "What happens to each of the project's services, oldest first.",
  }),
  charges: Type.Array(
    Type.Pick(ChargeResource, [
      "service_id",
      "provider",
      "description",
      "amount",
      "currency",
      "billed_by",
      "estimated",
      "period_start",
      "period_end",
    ]),
    {
      description:
        "What will still be billed if the project is deleted now, and what Purser bills and is not paid yet. An item is `estimated` if the provider bills metered use.",
    },
  ),
  variables: Type.Integer({ description: "Number of variables that will be deleted." }),
});

export function presentProjectDeletionPreview({
  project,
  services,
  finalCharges,
  variableCount,
}: DeletionPreview): Static<typeof ProjectDeletionPreviewResource> {
  return toWire(ProjectDeletionPreviewResource, project, {
    services: services.map((service) =>
      toWire(DeletionEffectResource, service, { effect: removalEffectOf(service), detail: null }),
    ),
    charges: finalCharges.map(presentCharge),
    variables: variableCount,
  });
}
