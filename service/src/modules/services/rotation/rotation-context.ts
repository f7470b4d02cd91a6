import type { Tx } from "../../../db/database.ts";
import type { OperationId, ProjectId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { OperationRow } from "../../../operations/queries.ts";
import { findCatalogService } from "../../catalog/find-offered-plan.ts";
import { serviceRows } from "../queries.ts";
import { type FormerCredential, findFormerCredential } from "./former-credential.ts";
import { type Rotation, rotationRows } from "./queries.ts";

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
