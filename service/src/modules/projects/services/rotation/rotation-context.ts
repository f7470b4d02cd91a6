import type { Tx } from "../../../../db/database.ts";
import type { Json } from "../../../../foundation/canonical-json.ts";
import type { LinkId, OperationId, ProjectId, ServiceId, TenantId } from "../../../../foundation/ids.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import type { Mode } from "../../../../foundation/vocabulary.ts";
import type { OperationRow } from "../../../../operations/queries.ts";
import { findCatalogService } from "../find-offered-plan.ts";
import { getServiceById } from "../queries.ts";
import { getRotationRow } from "./queries.ts";

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

/** Data about the service to rotate. It is saved in workflow checkpoints, so it contains no secrets. */
export interface RotationContext extends FormerCredential {
  readonly operationId: OperationId;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly envNames: Readonly<Record<string, string>>;
  /** Whether issuing a new credential ends the former one. */
  readonly isSingle: boolean;
  /** True if env bundles contain the new credential. The former one then remains to be retired. */
  readonly isPublished: boolean;
  /** True if the credential before the former one must be retired before a new one is issued. */
  readonly retiresOlder: boolean;
}

/**
 * Loads the service to rotate. If it is `rotating`, the new credential was published by this operation, or by an earlier one
 * that could not retire the former credential. In the latter case, only this remains to be done, unless a credential is
 * compromised: it can be the published one, so another one is issued afterwards.
 */
export async function loadRotationContext(tx: Tx, operation: OperationRow): Promise<RotationContext> {
  const { tenantId, operationId, serviceId } = operation;
  invariant(serviceId !== null, "an operation that rotates a service has its id");
  const { reason, credentialVersion: publishedVersion } = await getRotationRow(tx, operation);
  const service = await getServiceById(tx, { tenantId, serviceId });
  const { projectId, mode, provider, linkId, config, envNames, credentialVersion } = service;
  const { providerResourceId: resourceId } = service;
  invariant(resourceId !== null, "a service that can be rotated has a resource");
  const isRotating = service.status === "rotating";
  const retiresOlder = isRotating && publishedVersion === null && reason === "compromised";
  const isPublished = isRotating && !retiresOlder;
  return {
    ...{ tenantId, operationId, serviceId, projectId, mode, provider, linkId, resourceId },
    ...{ config, envNames },
    isSingle: findCatalogService(service.service)?.credential_type !== "multiple",
    formerVersion: isPublished ? credentialVersion - 1 : credentialVersion,
    isPublished,
    retiresOlder,
  };
}
