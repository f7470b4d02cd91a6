import type { Tx } from "../../../db/database.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import type { LinkId, OperationId, ProjectId, ServiceId, TenantId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { OperationRow } from "../../../operations/queries.ts";
import { findCatalogService } from "../../catalog/plans.ts";
import { type Service, serviceRows, serviceSecretVersionRows } from "../queries.ts";
import { type Rotation, rotationRows } from "./queries.ts";

/** A credential that the next version replaces. It is saved in workflow checkpoints, so it contains no secrets. */
export interface FormerCredential {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly provider: string;
  readonly linkId: LinkId;
  readonly resourceId: string;
  readonly config: Readonly<Record<string, Json>>;
  readonly formerVersion: number;
}

/**
 * Returns the service's former credential while the provider may still accept it, or null. It is stored until the provider
 * refuses it.
 */
export async function findFormerCredential(tx: Tx, service: Service): Promise<FormerCredential | null> {
  const { tenantId, serviceId, provider, linkId, providerResourceId: resourceId, config } = service;
  const formerVersion = service.credentialVersion - 1;
  const secret = await serviceSecretVersionRows.find(tx, { tenantId, serviceId, kind: "env", version: formerVersion });
  if (secret === undefined || resourceId === null) return null;
  return { tenantId, serviceId, provider, linkId, resourceId, config, formerVersion };
}

/** Data about the service to rotate. It is saved in workflow checkpoints, so it contains no secrets. */
export interface RotationContext extends FormerCredential {
  readonly operationId: OperationId;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly envNames: Readonly<Record<string, string>>;
  /** Whether issuing a new credential ends the former one. */
  readonly isSingle: boolean;
  /** True if env bundles contain the new credential. */
  readonly isPublished: boolean;
  /** True if the former credential is retired by the operation, because there is no grace period. */
  readonly retiresFormer: boolean;
  /** True if the credential before the former one must be retired before a new one is issued. */
  readonly retiresOlder: boolean;
}

export async function loadRotationContext(tx: Tx, operation: OperationRow): Promise<RotationContext> {
  const rotation = await rotationRows.get(tx, operation);
  const service = await serviceRows.get(tx, rotation);
  const { tenantId, serviceId, projectId, mode, provider, linkId, config, envNames, credentialVersion } = service;
  const { providerResourceId: resourceId } = service;
  invariant(resourceId !== null, "a service that can be rotated has a resource");
  const isPublished = rotation.credentialVersion !== null;
  return {
    ...{ tenantId, operationId: operation.operationId, serviceId, projectId, mode, provider, linkId, resourceId },
    ...{ config, envNames },
    isSingle: findCatalogService(service.service)?.credential_type !== "multiple",
    formerVersion: isPublished ? credentialVersion - 1 : credentialVersion,
    isPublished,
    retiresFormer: hasNoGrace(rotation),
    retiresOlder: !isPublished && (await findFormerCredential(tx, service)) !== null,
  };
}

/** Returns whether the former credential ends when the new one is published. */
export function hasNoGrace({ mode, gracePeriodSeconds }: Pick<Rotation, "mode" | "gracePeriodSeconds">): boolean {
  return mode === "immediate" || gracePeriodSeconds === 0;
}
