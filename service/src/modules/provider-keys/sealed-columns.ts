import { sealedColumn } from "../../vault/sealed-column.ts";
import { providerSecretContext } from "./secret-context.ts";

/** Where this module keeps sealed values. */
export const providerKeySealedColumns = [
  sealedColumn({
    table: "providerKeySecrets",
    column: "sealed",
    names: ["mode", "provider", "field", "version"],
    contextOf: (row) => providerSecretContext({ ...row, version: Number(row.version) }),
  }),
];
