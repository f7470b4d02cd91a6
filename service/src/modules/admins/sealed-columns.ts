import { sealedColumn } from "../../vault/sealed-column.ts";
import { totpContext } from "./totp-context.ts";

/** The columns of this module with encrypted values. */
export const adminSealedColumns = [
  sealedColumn({
    table: "admins",
    column: "totpSecretSealed",
    names: ["adminId"],
    contextOf: ({ adminId }) => totpContext(adminId),
  }),
];
