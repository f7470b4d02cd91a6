import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { insertServiceSecret } from "../queries.ts";
import { FIRST_CREDENTIAL, type ProvisioningContext } from "./provisioning-context.ts";

/** Stores the service's encrypted variables. */
export async function saveCredentials(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, serviceId }: Pick<ProvisioningContext, "tenantId" | "serviceId">,
  valueSealed: Buffer,
): Promise<void> {
  const secretKey = { tenantId, serviceId, kind: "env" as const, version: FIRST_CREDENTIAL };
  await insertServiceSecret(tx, { ...secretKey, valueSealed, createdAt: clock.now() });
}
