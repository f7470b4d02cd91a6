import { type Insertable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { WalletFreezeTable, WalletTable } from "../../../db/schema.ts";
import type { TenantId, WalletId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { Wallet } from "../queries.ts";

export type FreezeColumns = Updateable<WalletTable>;

export interface WalletsKey {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly walletIds: readonly WalletId[];
}

/** Returns the wallets in the order of their ids, and locks them until the transaction ends. */
export async function lockWallets(
  tx: Tx,
  { tenantId, mode, walletIds }: WalletsKey,
): Promise<Wallet[]> {
  return tx
    .selectFrom("wallets")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where(sql<boolean>`wallet_id = any(${walletIds}::text[])`)
    .orderBy("walletId")
    .forNoKeyUpdate()
    .execute();
}

/** Returns the ids of the wallets that belong to one of these agents. */
export async function listWalletIds(
  db: Db,
  {
    tenantId,
    mode,
    agentIds,
  }: Pick<WalletsKey, "tenantId" | "mode"> & { readonly agentIds: readonly string[] },
): Promise<WalletId[]> {
  const rows = await db
    .selectFrom("wallets")
    .select("walletId")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where(sql<boolean>`agent_id = any(${agentIds}::uuid[])`)
    .execute();
  return rows.map(({ walletId }) => walletId);
}

/** Returns the wallet with this id, whichever tenant it belongs to. */
export async function findWalletOfAnyTenant(
  db: Db,
  walletId: WalletId,
): Promise<Wallet | undefined> {
  return db.selectFrom("wallets").selectAll().where("walletId", "=", walletId).executeTakeFirst();
}

/** Changes a wallet. The caller must have locked it. */
export async function updateFreeze(
  tx: Tx,
  { tenantId, walletId }: Pick<Wallet, "tenantId" | "walletId">,
  change: FreezeColumns,
): Promise<Wallet> {
  return tx
    .updateTable("wallets")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("walletId", "=", walletId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function insertFreeze(tx: Tx, row: Insertable<WalletFreezeTable>): Promise<void> {
  await tx.insertInto("walletFreezes").values(row).execute();
}
