import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { LinkId, ServiceId, TenantId } from "../../../foundation/ids.ts";
import { moveCharges } from "../charges/queries.ts";
import { countEnvChange } from "../queries.ts";
import {
  deleteServiceSecrets,
  lockServiceById,
  type Service,
  type ServiceKey,
  updateServiceRow,
} from "./queries.ts";
import { recordServiceChange } from "./record-service-change.ts";
import { resourceNameOf } from "./resource-name.ts";
import { removalEffectOf } from "./service-resource.ts";

/** What the provider is asked to destroy. */
export interface Removal {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly provider: string;
  readonly linkId: LinkId;
  readonly resourceName: string;
  readonly resourceId: string | null;
  /** It is let go of, and stays where it is. */
  readonly stays: boolean;
}

/** What is to be destroyed of the service that an operation removes. */
export async function loadRemoval(tx: Tx, key: ServiceKey): Promise<Removal> {
  return removalOf(await lockServiceById(tx, key));
}

export function removalOf(service: Service): Removal {
  const { tenantId, serviceId, provider, linkId, providerResourceId: resourceId } = service;
  return {
    tenantId,
    serviceId,
    provider,
    linkId,
    resourceName: resourceNameOf(service),
    resourceId,
    stays: removalEffectOf(service) === "detached",
  };
}

/** From here on the service gives nothing to its project's environment. The caller holds the project locked. */
export async function beginRemoval(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { actor, service }: { readonly actor: Actor; readonly service: Service },
): Promise<Service> {
  const updatedAt = clock.now();
  const removing = await updateServiceRow(tx, service, { status: "removing", updatedAt });
  await countEnvChange(tx, service, updatedAt);
  await recordServiceChange(tx, actor, {
    action: "service.removal_requested",
    service: removing,
    occurredAt: updatedAt,
  });
  return removing;
}

/** The resource is gone: its credentials are destroyed, and the service with them. Of several that come here one does it. */
export async function finishRemoval(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  key: ServiceKey,
): Promise<void> {
  const service = await lockServiceById(tx, key);
  if (service.status === "removed") return;
  const at = clock.now();
  await deleteServiceSecrets(tx, key);
  await moveCharges(tx, key, { from: "reserved", to: "released" });
  const removed = await updateServiceRow(tx, key, {
    status: "removed",
    removedAt: at,
    updatedAt: at,
  });
  await recordServiceChange(tx, actor, {
    action: "service.removed",
    service: removed,
    facts: {
      provider_resource_id: service.providerResourceId,
      effect: removalEffectOf(service),
    },
    occurredAt: at,
  });
}
