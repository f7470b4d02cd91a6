import { adminSealedColumns } from "../modules/admins/index.ts";
import { developerSealedColumns } from "../modules/developers/index.ts";
import { projectSealedColumns } from "../modules/projects/index.ts";
import { providerKeySealedColumns } from "../modules/provider-keys/index.ts";
import { outboxSealedColumns } from "../outbox/sealed-columns.ts";
import type { SealedColumn } from "../vault/sealed-column.ts";

/** Every column of encrypted values. A test fails if the schema has a column that is not listed. */
export const sealedColumns: readonly SealedColumn[] = [
  ...adminSealedColumns,
  ...developerSealedColumns,
  ...projectSealedColumns,
  ...providerKeySealedColumns,
  ...outboxSealedColumns,
];
