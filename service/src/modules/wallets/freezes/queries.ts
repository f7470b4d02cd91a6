import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import { sendWithNext } from "../../../db/transaction.ts";
import { countRows, rowsWhere, selectWhere, updateWhere } from "../../../db/where.ts";
import type { TenantId, WalletId } from "../../../foundation/ids.ts";
import { type Mode, WAITING_PAYMENT_STATUSES } from "../../../foundation/vocabulary.ts";
import { selectOverviews, type Wallet, type WalletOverview } from "../queries.ts";

/** The columns that a freeze or an unfreezing changes. */
export type FreezeColumns = Partial<Wallet>;

export interface WalletsKey {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly walletIds: readonly WalletId[];
}

/** The wallets of agents. */
export interface AgentWalletsKey extends Omit<WalletsKey, "walletIds"> {
  /** UUIDs in lowercase. */
  readonly agentIds: readonly string[];
}

/** Returns the wallets in the order of their ids, and locks them until the transaction ends. */
export async function lockWallets(tx: Tx, { tenantId, mode, walletIds }: WalletsKey): Promise<WalletOverview[]> {
  return selectOverviews(tx, { tenantId, mode, agentIds: null })
    .where(sql<boolean>`wallet_id = any(${walletIds}::text[])`)
    .orderBy("walletId")
    .forNoKeyUpdate()
    .execute();
}

/** Returns the ids of the wallets that belong to one of these agents. */
export async function listWalletIds(db: Db, { tenantId, mode, agentIds }: AgentWalletsKey): Promise<WalletId[]> {
  const rows = await selectWhere(db, "wallets", { tenantId, mode })
    .select("walletId")
    .where(sql<boolean>`agent_id = any(${agentIds}::uuid[])`)
    .execute();
  return rows.map(({ walletId }) => walletId);
}

/** Returns the number of the wallets' payments that wait for an approval or a capture. */
export async function countWaitingPayments(
  db: Db,
  { tenantId, walletIds, at }: Omit<WalletsKey, "mode"> & { readonly at: Date },
): Promise<number> {
  return countRows(
    rowsWhere(db, "payments", { tenantId })
      .where(sql<boolean>`wallet_id = any(${walletIds}::text[])`)
      .where("status", "in", WAITING_PAYMENT_STATUSES)
      .where(sql<boolean>`(expires_at is null or expires_at > ${at})`),
  );
}

/** Returns how many operations of these wallets are under way: in no block, and in a block that is not final. */
export async function countOpenOperations(
  db: Db,
  { tenantId, walletIds }: Omit<WalletsKey, "mode">,
): Promise<{ readonly inNoBlock: number; readonly inBlock: number }> {
  const open = rowsWhere(db, "userOperations", { tenantId })
    .where(sql<boolean>`wallet_id = any(${walletIds}::text[])`)
    .where("endedAt", "is", null);
  return {
    inNoBlock: await countRows(open.where("blockNumber", "is", null)),
    inBlock: await countRows(open.where("blockNumber", "is not", null)),
  };
}

/** Changes a wallet with the transaction's next statement. The caller must have locked it. */
export async function updateFreeze(
  tx: Tx,
  { tenantId, walletId }: Pick<Wallet, "tenantId" | "walletId">,
  change: FreezeColumns,
): Promise<void> {
  await sendWithNext(tx, updateWhere(tx, "wallets", { tenantId, walletId }).set(change));
}

/** Inserts the row with the transaction's next statement. */
export async function insertFreeze(tx: Tx, row: Insertable<Schema["walletFreezes"]>): Promise<void> {
  await sendWithNext(tx, tx.insertInto("walletFreezes").values(row));
}
