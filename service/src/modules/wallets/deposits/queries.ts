import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Row, Schema } from "../../../db/schema.ts";
import { deleteWhere, rowsWhere } from "../../../db/where.ts";
import type { BlockchainNetwork } from "../../../foundation/blockchain-networks.ts";
import type { DepositId, LedgerAccountId, TenantId, WalletId } from "../../../foundation/ids.ts";
import type { BlockRange } from "../../../ports/evm-network.ts";

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

/** Inserts pending deposits. One that is known is pending in its new block, or stays confirmed. */
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
        .doUpdateSet(({ ref }) => ({
          blockNumber: ref("excluded.blockNumber"),
          baseUnits: ref("excluded.baseUnits"),
          sender: ref("excluded.sender"),
        }))
        .where("deposits.status", "=", "pending"),
    )
    .execute();
}

/** Inserts a confirmed deposit, or confirms it. Returns its id, or undefined if it was confirmed before. */
export async function upsertConfirmedDeposit(
  tx: Tx,
  deposit: Insertable<Schema["deposits"]>,
): Promise<DepositId | undefined> {
  const confirmed = await tx
    .insertInto("deposits")
    .values(deposit)
    .onConflict((conflict) =>
      conflict
        .constraint("deposit_once")
        .doUpdateSet(({ ref }) => ({
          status: "confirmed",
          blockNumber: ref("excluded.blockNumber"),
          baseUnits: ref("excluded.baseUnits"),
          sender: ref("excluded.sender"),
          confirmedAt: ref("excluded.confirmedAt"),
        }))
        .where("deposits.status", "=", "pending"),
    )
    .returning("depositId")
    .executeTakeFirst();
  return confirmed?.depositId;
}

/** The accounts of the ledger between which a deposit moves. */
export interface DepositAccounts {
  readonly walletAccountId: LedgerAccountId;
  readonly externalAccountId: LedgerAccountId;
}

/** Returns the accounts of deposits of USDC to live wallets, by wallet. */
export async function listDepositAccounts(
  db: Db,
  walletIds: readonly WalletId[],
): Promise<ReadonlyMap<WalletId, DepositAccounts>> {
  const { rows } = await sql<DepositAccounts & Pick<WatchedWallet, "walletId">>`
    select own.subject_id as wallet_id, own.account_id as wallet_account_id, external.account_id as external_account_id
      from wallets wallet
      join ledger_accounts own on own.tenant_id = wallet.tenant_id and own.mode = wallet.mode
        and own.subject_type = 'wallet' and own.subject_id = wallet.wallet_id and own.kind = 'wallet'
      join ledger_accounts external on external.tenant_id = wallet.tenant_id and external.mode = wallet.mode
        and external.subject_type = 'external' and external.subject_id = wallet.tenant_id and external.kind = 'external'
      where wallet.wallet_id = any(${walletIds}::text[]) and own.asset = 'usdc' and external.asset = 'usdc'`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.walletId, row]));
}

export async function hasPendingDeposits(db: Db, network: BlockchainNetwork): Promise<boolean> {
  const pending = rowsWhere(db, "deposits", { network, status: "pending" }).select("depositId").limit(1);
  return (await pending.executeTakeFirst()) !== undefined;
}

/** Returns the tenants with pending deposits in these blocks. */
export async function tenantsWithPendingDeposits(
  db: Db,
  network: BlockchainNetwork,
  { from, to }: Partial<BlockRange> & Pick<BlockRange, "from">,
): Promise<TenantId[]> {
  const pending = rowsWhere(db, "deposits", { network, status: "pending" }).where("blockNumber", ">=", from);
  const inRange = to === undefined ? pending : pending.where("blockNumber", "<=", to);
  return (await inRange.select("tenantId").distinct().execute()).map(({ tenantId }) => tenantId);
}

/** Deletes a tenant's pending deposits in these blocks. */
export async function deletePendingDeposits(
  tx: Tx,
  { tenantId, network }: Pick<Deposit, "tenantId" | "network">,
  { from, to }: Partial<BlockRange> & Pick<BlockRange, "from">,
): Promise<void> {
  const pending = deleteWhere(tx, "deposits", { tenantId, network, status: "pending" }).where(
    "blockNumber",
    ">=",
    from,
  );
  await (to === undefined ? pending : pending.where("blockNumber", "<=", to)).execute();
}

/** What a wallet must have on its chain at a final block, according to the ledger. */
export interface ExpectedBalance extends WatchedWallet {
  readonly expected: bigint;
}

/**
 * Returns what wallets must have at a final block, in the order of their ids: what is posted in the ledger, minus deposits
 * after that block that are credited, plus payments and off-ramps after it that are posted.
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
    select wallet.tenant_id, wallet.wallet_id, wallet.address,
        account.posted - coalesce(sum(deposit.base_units), 0) + coalesce((
          select sum(coalesce(payment.paid_base_units, conversion.source_cents * 10000)) from user_operations operation
          left join payments payment
            on payment.tenant_id = operation.tenant_id and payment.payment_id = operation.payment_id
          left join conversions conversion
            on conversion.tenant_id = operation.tenant_id and conversion.conversion_id = operation.conversion_id
          where operation.tenant_id = wallet.tenant_id and operation.wallet_id = wallet.wallet_id
            and operation.block_number > ${finalBlock} and operation.outcome = 'confirmed'), 0) as expected
      from wallets wallet
      join ledger_accounts account on account.tenant_id = wallet.tenant_id and account.mode = wallet.mode
        and account.subject_type = 'wallet' and account.subject_id = wallet.wallet_id
        and account.kind = 'wallet' and account.asset = 'usdc'
      left join deposits deposit on deposit.tenant_id = wallet.tenant_id and deposit.wallet_id = wallet.wallet_id
        and deposit.block_number > ${finalBlock} and deposit.status = 'confirmed'
      where wallet.mode = 'live' and wallet.network = ${network} and wallet.wallet_id > ${after ?? ""}
      group by wallet.tenant_id, wallet.wallet_id, wallet.address, account.posted
      order by wallet.wallet_id limit ${limit}`.execute(db);
  return rows;
}
