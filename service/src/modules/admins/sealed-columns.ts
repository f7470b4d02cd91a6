import { sealedColumn } from "../../vault/sealed-column.ts";
import { totpContext } from "./totp-context.ts";

/** This module's columns that contain encrypted values. */
export const adminSealedColumns = [
  sealedColumn({
    table: "admins",
    column: "totpSecretSealed",
    names: ["adminId"],
    contextOf: ({ adminId }) => totpContext(adminId),
  }),
];
