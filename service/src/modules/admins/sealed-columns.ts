import { sealedColumn } from "../../vault/sealed-column.ts";
import { totpContext } from "./totp-context.ts";

/** Where this module keeps sealed values. */
export const adminSealedColumns = [
  sealedColumn({
    table: "admins",
    column: "totpSecretSealed",
    names: ["adminId"],
    contextOf: ({ adminId }) => totpContext(adminId),
  }),
];
