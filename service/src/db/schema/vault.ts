import type { TenantId } from "../../foundation/ids.ts";
import type { Optional } from "./columns.ts";

interface TenantDataKeyTable {
  readonly tenantId: TenantId;
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly wrapped: Buffer;
  readonly createdAt: Date;
}

interface DataKeyWrappingTable {
  readonly tenantId: TenantId;
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly superseded: Optional<boolean>;
  readonly createdAt: Date;
}

export interface VaultTables {
  readonly tenantDataKeys: TenantDataKeyTable;
  readonly dataKeyWrappings: DataKeyWrappingTable;
}
