import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { findServiceSecret, type ServiceKey } from "./queries.ts";
import { passwordContext } from "./secret-context.ts";

/**
 * Decrypts the password that Purser generated for a version of a service's credentials. The password is sent to the
 * provider in the call that creates the resource or rotates its credentials.
 */
export async function openServicePassword(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { tenantId, serviceId }: ServiceKey,
  version: number,
): Promise<string> {
  const vault = await openVault(app, tenantId);
  const secret = await withTransaction(app.db, tenantId, (tx) =>
    findServiceSecret(tx, { tenantId, serviceId, kind: "password", version }),
  );
  invariant(secret !== undefined, "a service that is added or rotated has a stored password");
  return vault.open(passwordContext(serviceId, version), secret.valueSealed).toString("utf8");
}
