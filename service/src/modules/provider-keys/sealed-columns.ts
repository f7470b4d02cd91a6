import { sealedColumn } from "../../vault/sealed-column.ts";
import { providerSecretContext } from "./secret-context.ts";

/** This module's columns that contain encrypted values. */
export const providerKeySealedColumns = [
  sealedColumn({
    table: "providerKeySecrets",
    column: "sealed",
    names: ["mode", "provider", "field", "version"],
    contextOf: (row) => providerSecretContext({ ...row, version: Number(row.version) }),
  }),
];
