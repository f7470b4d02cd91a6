import type { App } from "../../../../app.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import type { ProviderEnv } from "../../../../ports/service-provider.ts";
import { openVault } from "../../../../vault/open-vault.ts";
import { findServiceSecret, type ServiceKey } from "../queries.ts";
import { openServiceEnv } from "../service-env.ts";

/** Decrypts a stored version of the service's variables, to send them to the provider or to use them once. */
export async function openStoredEnv(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { tenantId, serviceId }: ServiceKey,
  version: number,
): Promise<ProviderEnv> {
  const vault = await openVault(app, tenantId);
  const secret = await withTransaction(app.db, tenantId, (tx) =>
    findServiceSecret(tx, { tenantId, serviceId, kind: "env", version }),
  );
  invariant(secret !== undefined, "a service that is rotated has stored variables");
  const { valueSealed } = secret;
  return openServiceEnv(vault, { serviceId, version, valueSealed });
}
