import type { AdminId } from "../../foundation/ids.ts";
import { sealedColumn } from "../../vault/sealed-column.ts";
import type { VaultContext } from "../../vault/vault.ts";

export function totpContext(adminId: AdminId): VaultContext {
  return { kind: "admin", subject: adminId, field: "totp_secret", version: 1 };
}

export const adminSealedColumns = [
  sealedColumn({
    table: "admins",
    column: "totpSecretSealed",
    names: ["adminId"],
    contextOf: ({ adminId }) => totpContext(adminId),
  }),
];
