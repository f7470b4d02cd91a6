import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { LinkId, ServiceId, TenantId } from "../../../foundation/ids.ts";
import { moveCharges } from "../charges/queries.ts";
import { incrementEnvVersion } from "../queries.ts";
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

/** The resource that a removal destroys or detaches. */
export interface Removal {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly provider: string;
  readonly linkId: LinkId;
  readonly resourceName: string;
  readonly resourceId: string | null;
  /** Whether the resource is detached: it remains at the provider, and no call is made. */
  readonly stays: boolean;
}

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

/**
 * Sets the service to `removing`, so that env bundles do not contain its variables. The caller has locked the project.
 */
export async function startRemoval(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { actor, service }: { readonly actor: Actor; readonly service: Service },
): Promise<Service> {
  const updatedAt = clock.now();
  const removing = await updateServiceRow(tx, service, { status: "removing", updatedAt });
  await incrementEnvVersion(tx, service, updatedAt);
  await recordServiceChange(tx, actor, {
    action: "service.removal_requested",
    service: removing,
    occurredAt: updatedAt,
  });
  return removing;
}

/** Deletes the service's secrets and sets it to `removed`. Repeated and concurrent calls change nothing. */
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
