import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Row, Schema } from "../../../db/schema.ts";
import { deleteWhere, rowsWhere } from "../../../db/where.ts";
import type { BlockchainNetwork } from "../../../foundation/blockchain-networks.ts";
import type { TenantId } from "../../../foundation/ids.ts";

export type Deposit = Row<"deposits">;

/** A wallet whose deposits are looked for. */
export type WatchedWallet = Pick<Row<"wallets">, "tenantId" | "walletId" | "address">;

/** Returns the live wallets of all tenants on a network, in the order of their ids. */
export function listWatchedWallets(
  db: Db,
  network: BlockchainNetwork,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<WatchedWallet[]> {
  const wallets = rowsWhere(db, "wallets", { mode: "live", network }).select(["tenantId", "walletId", "address"]);
  const rest = after === undefined ? wallets : wallets.where("walletId", ">", after as WatchedWallet["walletId"]);
  return rest.orderBy("walletId").limit(limit).execute();
}

/**
 * Inserts pending deposits. One that is known, and was pending in another block, is pending in the new one. One that is confirmed
 * stays as it is.
 */
export async function upsertPendingDeposits(
  tx: Tx,
  deposits: readonly Insertable<Schema["deposits"]>[],
): Promise<void> {
  await tx
    .insertInto("deposits")
    .values(deposits)
    .onConflict((conflict) =>
      conflict
        .constraint("deposit_once")
        .doUpdateSet(({ ref }) => ({ blockNumber: ref("excluded.blockNumber"), blockHash: ref("excluded.blockHash") }))
        .where("deposits.status", "=", "pending"),
    )
    .execute();
}

export async function hasPendingDeposits(db: Db, network: BlockchainNetwork): Promise<boolean> {
  const pending = rowsWhere(db, "deposits", { network, status: "pending" }).select("depositId").limit(1);
  return (await pending.executeTakeFirst()) !== undefined;
}

/** Marks a deposit as confirmed. Returns false if it is not pending in this block any more. */
export async function claimDeposit(
  tx: Tx,
  { tenantId, depositId, blockHash }: Pick<Deposit, "tenantId" | "depositId" | "blockHash">,
  confirmedAt: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("deposits")
    .set({ status: "confirmed", confirmedAt })
    .where((row) => row.and({ tenantId, depositId, blockHash, status: "pending" }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes a deposit if it is pending in this block. */
export async function deleteReplacedDeposit(
  tx: Tx,
  { tenantId, depositId, blockHash }: Pick<Deposit, "tenantId" | "depositId" | "blockHash">,
): Promise<void> {
  await deleteWhere(tx, "deposits", { tenantId, depositId, blockHash, status: "pending" }).execute();
}

/**
 * Returns pending deposits in blocks up to this one, the oldest first, with the addresses of their wallets and the accounts of
 * their move in the ledger.
 */
export function listPendingDeposits(
  db: Db,
  network: BlockchainNetwork,
  { toBlock, limit }: { readonly toBlock: bigint; readonly limit: number },
) {
  return rowsWhere(db, "deposits", { network, status: "pending" })
    .innerJoin("wallets", (join) =>
      join.onRef("wallets.tenantId", "=", "deposits.tenantId").onRef("wallets.walletId", "=", "deposits.walletId"),
    )
    .innerJoin("ledgerAccounts as walletAccount", (join) =>
      join
        .onRef("walletAccount.tenantId", "=", "deposits.tenantId")
        .onRef("walletAccount.mode", "=", "deposits.mode")
        .onRef("walletAccount.asset", "=", "deposits.asset")
        .onRef("walletAccount.subjectId", "=", "deposits.walletId")
        .on("walletAccount.subjectType", "=", "wallet")
        .on("walletAccount.kind", "=", "wallet"),
    )
    .innerJoin("ledgerAccounts as externalAccount", (join) =>
      join
        .onRef("externalAccount.tenantId", "=", "deposits.tenantId")
        .onRef("externalAccount.mode", "=", "deposits.mode")
        .onRef("externalAccount.asset", "=", "deposits.asset")
        .onRef("externalAccount.subjectId", "=", "deposits.tenantId")
        .on("externalAccount.subjectType", "=", "external")
        .on("externalAccount.kind", "=", "external"),
    )
    .selectAll("deposits")
    .select(["wallets.address", "walletAccount.accountId as walletAccountId"])
    .select("externalAccount.accountId as externalAccountId")
    .where("deposits.blockNumber", "<=", toBlock)
    .orderBy("deposits.blockNumber")
    .orderBy("deposits.blockHash")
    .orderBy("deposits.logIndex")
    .limit(limit)
    .execute();
}

/** Returns the tenants with pending deposits in blocks after this one. */
export async function tenantsWithPendingDeposits(
  db: Db,
  network: BlockchainNetwork,
  afterBlock: bigint,
): Promise<TenantId[]> {
  const pending = rowsWhere(db, "deposits", { network, status: "pending" }).where("blockNumber", ">", afterBlock);
  return (await pending.select("tenantId").distinct().execute()).map(({ tenantId }) => tenantId);
}

/** Deletes a tenant's pending deposits in blocks after this one. */
export async function deletePendingDeposits(
  tx: Tx,
  { tenantId, network, afterBlock }: Pick<Deposit, "tenantId" | "network"> & { readonly afterBlock: bigint },
): Promise<void> {
  const pending = deleteWhere(tx, "deposits", { tenantId, network, status: "pending" });
  await pending.where("blockNumber", ">", afterBlock).execute();
}

/** What a wallet must have on its chain at a final block, according to the ledger. */
export interface ExpectedBalance extends WatchedWallet {
  readonly expected: bigint;
}

/**
 * Returns what the wallets that had a deposit must have at a final block, in the order of their ids: what is posted in the
 * ledger, plus deposits until that block that are not credited yet, minus deposits after it that are.
 */
export async function listExpectedBalances(
  db: Db,
  network: BlockchainNetwork,
  {
    finalBlock,
    after,
    limit,
  }: { readonly finalBlock: bigint; readonly after: string | undefined; readonly limit: number },
): Promise<ExpectedBalance[]> {
  const { rows } = await sql<ExpectedBalance>`
    select wallet.tenant_id, wallet.wallet_id, wallet.address, account.posted + coalesce(sum(
        case deposit.status when 'pending' then deposit.base_units else -deposit.base_units end), 0) as expected
      from wallets wallet
      join ledger_accounts account on account.tenant_id = wallet.tenant_id and account.mode = wallet.mode
        and account.subject_type = 'wallet' and account.subject_id = wallet.wallet_id
        and account.kind = 'wallet' and account.asset = 'usdc'
      left join deposits deposit on deposit.tenant_id = wallet.tenant_id and deposit.wallet_id = wallet.wallet_id
        and (deposit.block_number <= ${finalBlock}) = (deposit.status = 'pending')
      where wallet.mode = 'live' and wallet.network = ${network} and wallet.wallet_id > ${after ?? ""}
        and exists (select from deposits used where used.tenant_id = wallet.tenant_id and used.wallet_id = wallet.wallet_id)
      group by wallet.tenant_id, wallet.wallet_id, wallet.address, account.posted
      order by wallet.wallet_id limit ${limit}`.execute(db);
  return rows;
}
