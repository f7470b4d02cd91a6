import type { Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";

export interface WrappedDataKey {
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly wrapped: Buffer;
}

/** All data keys of the tenant, newest first. Read in a transaction of that tenant; elsewhere there are none to be seen. */
export async function listDataKeys(tx: Tx, tenantId: TenantId): Promise<WrappedDataKey[]> {
  return tx
    .selectFrom("tenantDataKeys")
    .select(["version", "keyEncryptionKeyId", "wrapped"])
    .where("tenantId", "=", tenantId)
    .orderBy("version", "desc")
    .execute();
}

/** Keeps a data key, unless another process was first: then that one stands. */
export async function insertDataKey(
  tx: Tx,
  key: WrappedDataKey & { readonly tenantId: TenantId; readonly createdAt: Date },
): Promise<void> {
  await tx
    .insertInto("tenantDataKeys")
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
