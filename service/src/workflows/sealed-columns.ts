import { adminSealedColumns } from "../modules/admins/sealed-columns.ts";
import { developerSealedColumns } from "../modules/developers/sealed-columns.ts";
import { variableContext } from "../modules/env/variables/variables.ts";
import { linkTokenContext } from "../modules/fiat/bank-link.ts";
import { linkSecretContext } from "../modules/links/link-secrets.ts";
import { providerKeySealedColumns } from "../modules/provider-keys/sealed-columns.ts";
import { serviceSecretContext } from "../modules/services/service-secrets.ts";
import { walletSealedColumns } from "../modules/wallets/sealed-columns.ts";
import { webhookSealedColumns } from "../modules/webhooks/webhook-secrets.ts";
import { outboxSealedColumns } from "../outbox/enqueue.ts";
import { type SealedColumn, sealedColumn } from "../vault/sealed-column.ts";

/** All columns that contain encrypted values. A test fails if this list lacks an encrypted column of the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  ...adminSealedColumns,
  ...developerSealedColumns,
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
  sealedColumn({
    table: "fiatLinks",
    column: "tokenSealed",
    names: ["linkId"],
    contextOf: ({ linkId }) => linkTokenContext(linkId),
  }),
  ...providerKeySealedColumns,
  ...walletSealedColumns,
  ...webhookSealedColumns,
  ...outboxSealedColumns,
];
