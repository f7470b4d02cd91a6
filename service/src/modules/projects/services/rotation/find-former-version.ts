import type { Tx } from "../../../../db/database.ts";
import { findServiceSecret, type Service } from "../queries.ts";

/**
 * Returns the version of the service's former credential while the provider may still accept it, or null. It is stored
 * until the provider refuses it.
 */
export async function findFormerVersion(
  tx: Tx,
  { tenantId, serviceId, credentialVersion }: Pick<Service, "tenantId" | "serviceId" | "credentialVersion">,
): Promise<number | null> {
  const version = credentialVersion - 1;
  const secret = await findServiceSecret(tx, { tenantId, serviceId, kind: "env", version });
  return secret === undefined ? null : version;
}
