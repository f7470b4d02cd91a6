import type { App } from "../../app.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import { openVault } from "../../vault/open-vault.ts";
import { withOperatorTransaction } from "./operators.ts";
import { findAdminByEmail } from "./queries.ts";
import { totpContext } from "./totp-context.ts";

export interface AdminSecrets {
  /** In lowercase. */
  readonly email: string;
  readonly password: string;
  /** Base32-encoded. */
  readonly totpSecret: string;
}

/**
 * Returns true if there is an active admin with these credentials. The local development profile stores an admin's
 * credentials in a file and calls this to find out whether they still work.
 */
export async function isWorkingAdmin(
  app: Pick<App, "db" | "clock" | "passwords" | "keyEncryptionKey" | "vaults">,
  { email, password, totpSecret }: AdminSecrets,
): Promise<boolean> {
  const admin = await withOperatorTransaction(app.db, (tx) => findAdminByEmail(tx, email));
  if (admin === undefined || admin.disabledAt !== null) return false;
  const vault = await openVault(app, OPERATOR_TENANT);
  const secret = vault.open(totpContext(admin.adminId), admin.totpSecretSealed);
  return secret.equals(Buffer.from(totpSecret)) && app.passwords.verify(admin.passwordHash, password);
}
