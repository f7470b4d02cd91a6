import type { Tx } from "../../../db/database.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import type { LinkId, ServiceId, TenantId } from "../../../foundation/ids.ts";
import { findServiceSecret, type Service } from "../queries.ts";

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
  const secret = await findServiceSecret(tx, { tenantId, serviceId, kind: "env", version: formerVersion });
  if (secret === undefined || resourceId === null) return null;
  return { tenantId, serviceId, provider, linkId, resourceId, config, formerVersion };
}
