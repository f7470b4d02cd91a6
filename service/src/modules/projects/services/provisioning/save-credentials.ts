import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { nameServiceEnv } from "../env-names.ts";
import {
  findServiceSecret,
  getServiceById,
  insertServiceSecret,
  listServicesInPlace,
  updateServiceRow,
} from "../queries.ts";
import { lockOwnProject } from "./lock-own-project.ts";
import { FIRST_CREDENTIAL, type ProvisioningContext } from "./provisioning-context.ts";

/** A service's encrypted variables in base64, and their names at the provider. */
export interface SealedEnv {
  readonly sealed: string;
  readonly names: readonly string[];
}

type Named = Pick<ProvisioningContext, "tenantId" | "serviceId">;

/**
 * Stores the service's encrypted variables. If the catalog does not contain the names of the service's variables, they are
 * fixed now.
 */
export async function saveCredentials(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  provisioning: Named & Pick<ProvisioningContext, "mode" | "projectId" | "envNames">,
  { sealed, names }: SealedEnv,
): Promise<void> {
  const createdAt = clock.now();
  if (Object.keys(provisioning.envNames).length === 0) {
    const project = await lockOwnProject(tx, provisioning);
    const service = await getServiceById(tx, provisioning);
    const others = (await listServicesInPlace(tx, project)).filter(({ serviceId }) => serviceId !== service.serviceId);
    const envNames = JSON.stringify(nameServiceEnv(service, { providerNames: names, others }));
    await updateServiceRow(tx, provisioning, { envNames, updatedAt: createdAt });
  }
  await insertServiceSecret(tx, {
    ...secretKeyOf(provisioning),
    valueSealed: Buffer.from(sealed, "base64"),
    createdAt,
  });
}

/** Returns whether the service's variables are stored. */
export function hasCredentials({ db }: Pick<App, "db">, provisioning: Named): Promise<boolean> {
  return withTransaction(
    db,
    provisioning.tenantId,
    async (tx) => (await findServiceSecret(tx, secretKeyOf(provisioning))) !== undefined,
  );
}

function secretKeyOf({ tenantId, serviceId }: Named) {
  return { tenantId, serviceId, kind: "env" as const, version: FIRST_CREDENTIAL };
}
