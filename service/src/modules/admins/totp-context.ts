import type { AdminId } from "../../foundation/ids.ts";
import type { VaultContext } from "../../vault/open-vault.ts";

/** Where the secret of an admin's codes stands in the operators' vault. */
export function totpContext(adminId: AdminId): VaultContext {
  return { kind: "admin", subject: adminId, field: "totp_secret", version: 1 };
}
