import { sealedColumn } from "../../vault/sealed-column.ts";
import { devicePairContext } from "./device-login/device-login.ts";
import { signingKeyContext } from "./keys/api-keys.ts";
import { kybCaseContext } from "./kyb/kyb-case.ts";
import { totpSecretContext } from "./second-factor/use-second-factor.ts";

/** This module's columns that contain encrypted values. */
export const developerSealedColumns = [
  sealedColumn({
    table: "apiKeys",
    column: "signingKeySealed",
    names: ["keyId"],
    contextOf: ({ keyId }) => signingKeyContext(keyId),
  }),
  sealedColumn({
    table: "developerTotp",
    column: "secretSealed",
    names: ["tenantId"],
    contextOf: ({ tenantId }) => totpSecretContext(tenantId),
  }),
  sealedColumn({
    table: "deviceAuthorizations",
    column: "pairSealed",
    names: ["deviceCodeHash"],
    contextOf: ({ deviceCodeHash }) => devicePairContext(deviceCodeHash),
  }),
  sealedColumn({
    table: "kybCases",
    column: "detailsSealed",
    names: ["tenantId"],
    contextOf: ({ tenantId }) => kybCaseContext(tenantId),
  }),
];
