import { sealedColumn } from "../../vault/sealed-column.ts";
import { linkSecretContext } from "./links/link-secrets.ts";
import { serviceSecretContext } from "./services/service-secrets.ts";
import { variableContext } from "./variables/variable-context.ts";

/** This module's columns that contain encrypted values. */
export const projectSealedColumns = [
  sealedColumn({
    table: "projectVariables",
    column: "valueSealed",
    names: ["projectId", "environment", "name", "version"],
    contextOf: (row) => variableContext({ ...row, version: Number(row.version) }),
  }),
  sealedColumn({
    table: "providerLinkSecrets",
    column: "pendingSealed",
    names: ["linkId"],
    contextOf: ({ linkId }) => linkSecretContext(linkId, "pending", 0),
  }),
  sealedColumn({
    table: "providerLinkSecrets",
    column: "accessSealed",
    names: ["linkId", "version"],
    contextOf: ({ linkId, version }) => linkSecretContext(linkId, "access", Number(version)),
  }),
  sealedColumn({
    table: "tokenRevocations",
    column: "accessSealed",
    names: ["linkId", "version"],
    contextOf: ({ linkId, version }) => linkSecretContext(linkId, "access", Number(version)),
  }),
  sealedColumn({
    table: "serviceSecrets",
    column: "valueSealed",
    names: ["serviceId", "kind", "version"],
    contextOf: ({ serviceId, kind, version }) => serviceSecretContext({ serviceId, kind, version: Number(version) }),
  }),
];
