import { adminSealedColumns } from "../modules/admins/sealed-columns.ts";
import { developerSealedColumns } from "../modules/developers/sealed-columns.ts";
import { projectSealedColumns } from "../modules/projects/sealed-columns.ts";
import { providerKeySealedColumns } from "../modules/provider-keys/sealed-columns.ts";
import { walletSealedColumns } from "../modules/wallets/sealed-columns.ts";
import { outboxSealedColumns } from "../outbox/enqueue.ts";
import type { SealedColumn } from "../vault/sealed-column.ts";

/** All columns that contain encrypted values. A test fails if this list lacks an encrypted column of the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  ...adminSealedColumns,
  ...developerSealedColumns,
  ...projectSealedColumns,
  ...providerKeySealedColumns,
  ...walletSealedColumns,
  ...outboxSealedColumns,
];
