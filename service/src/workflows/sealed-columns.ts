import { adminSealedColumns } from "../modules/admins/index.ts";
import { developerSealedColumns } from "../modules/developers/index.ts";
import { projectSealedColumns } from "../modules/projects/index.ts";
import { providerKeySealedColumns } from "../modules/provider-keys/index.ts";
import { walletSealedColumns } from "../modules/wallets/index.ts";
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
