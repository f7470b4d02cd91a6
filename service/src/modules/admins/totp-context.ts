import type { AdminId } from "../../foundation/ids.ts";
import type { VaultContext } from "../../vault/open-vault.ts";

/** Returns the encryption context of an admin's TOTP secret. */
export function totpContext(adminId: AdminId): VaultContext {
  return { kind: "admin", subject: adminId, field: "totp_secret", version: 1 };
}
