import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns } from "../../db/pages.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { selectWhere, updateWhere } from "../../db/where.ts";
import type { LedgerAccountId, TenantId } from "../../foundation/ids.ts";
import type { Asset } from "../../foundation/money.ts";
import type { Mode } from "../../foundation/vocabulary.ts";

/** When the money of tenants was checked, by their ids. */
export const moneyCheckRows = tableOf("moneyChecks", ["tenantId"]);
/** The sums of transfers that were counted. The key is that of all sums of a tenant. */
export const checkedSumRows = tableOf("ledgerCheckedSums", ["tenantId"]);

export type DueCheck = Pick<Row<"moneyChecks">, "tenantId" | "checkedAt">;

/** Yields the tenants that were last checked before `before`, the longest due first. */
export function dueChecks(db: Db, before: Date): AsyncGenerator<DueCheck> {
  return inTurns<DueCheck>(db, ["checkedAt", "tenantId"], () =>
    db.selectFrom("moneyChecks").select(["tenantId", "checkedAt"]).where("checkedAt", "<", before),
  );
}

/** Sets the time of the tenant's check. Returns false if the check is not due or another transaction does it. */
export async function claimCheck(
  tx: Tx,
  { tenantId, before, at }: { readonly tenantId: TenantId; readonly before: Date; readonly at: Date },
): Promise<boolean> {
  const due = selectWhere(tx, "moneyChecks", { tenantId })
    .select("tenantId")
    .where("checkedAt", "<", before)
    .forUpdate()
    .skipLocked();
  const { numUpdatedRows } = await tx
    .updateTable("moneyChecks")
    .where("tenantId", "=", due)
    .set({ checkedAt: at })
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Records that the sums contain all transfers that this transaction can read. */
export async function saveCountedIn(tx: Tx, tenantId: TenantId): Promise<void> {
  await updateWhere(tx, "moneyChecks", { tenantId }).set({ countedIn: sql`pg_current_snapshot()` }).execute();
}

/** A transfer's place in the order in which transfers are counted. */
export interface TransferPlace {
  readonly xid: string;
  readonly transferId: string;
}

interface CountTransfers {
  readonly tenantId: TenantId;
  readonly countedIn: string | null;
  readonly previous: TransferPlace | undefined;
  readonly limit: number;
}

/**
 * Adds up to `limit` transfers after the place `previous` to the sums of their accounts. Skips transfers that are
 * visible in the snapshot `countedIn`. Returns the last transfer's place, or undefined if there was none.
 */
export async function countTransfers(
  tx: Tx,
  { tenantId, countedIn, previous, limit }: CountTransfers,
): Promise<TransferPlace | undefined> {
  const { rows } = await sql<TransferPlace>`
    with batch as materialized (
      select * from ledger_transfers
      where tenant_id collate "C" = ${tenantId}
        and (xid, transfer_id) > (coalesce(${previous?.xid ?? null}::xid8, pg_snapshot_xmin(${countedIn}::pg_snapshot), '0'), ${previous?.transferId ?? ""})
        and pg_visible_in_snapshot(xid, ${countedIn}::pg_snapshot) is not true
      order by xid, transfer_id limit ${limit}
    ), legs as (
      select debit_account_id as account_id, mode, asset,
        case when kind in ('direct', 'post') then -amount else 0 end as posted,
        case kind when 'hold' then amount when 'direct' then 0 else -coalesce(hold_amount, 0) end as held
      from batch left join lateral (
        select amount as hold_amount from ledger_transfers as hold
        where hold.tenant_id = batch.tenant_id and hold.transfer_id = batch.pending_id
        -- With the limit, the planner looks up each hold by its key.
        limit 1
      ) as held on true
      union all
      select credit_account_id, mode, asset, case when kind in ('direct', 'post') then amount else 0 end, 0 from batch
    ), counted as (
      insert into ledger_checked_sums as sums (tenant_id, account_id, mode, asset, posted, held)
      select ${tenantId}, account_id, mode, asset, sum(posted), sum(held) from legs group by account_id, mode, asset
      on conflict (tenant_id, account_id, mode, asset)
        do update set posted = sums.posted + excluded.posted, held = sums.held + excluded.held
    )
    select xid, transfer_id from batch order by xid desc, transfer_id desc limit 1`.execute(tx);
  return rows[0];
}

/** A number of the ledger that differs from the sum of the transfers. */
export interface BalanceDifference {
  /** Null for `sum`. */
  readonly accountId: LedgerAccountId | null;
  readonly mode: Mode;
  readonly asset: Asset;
  /** A balance of the account, or the sum of all balances of the token, which must be zero. */
  readonly number: "posted" | "held" | "sum";
  readonly expected: bigint;
  /** Null if there is no account with this id, mode and token. */
  readonly found: bigint | null;
}

/** Compares the accounts with the sums of their transfers. */
export async function listDifferences(tx: Tx, tenantId: TenantId, limit: number): Promise<BalanceDifference[]> {
  const { rows } = await sql<BalanceDifference>`
    with balances as (
      select account_id, mode, asset, account.posted, account.held,
        coalesce(sums.posted, 0) as posted_sum, coalesce(sums.held, 0) as held_sum,
        coalesce(account.kind in ('external', 'faucet', 'fees'), false) as is_clearing
      from (select * from ledger_accounts where tenant_id = ${tenantId}) as account
        full join (select * from ledger_checked_sums where tenant_id = ${tenantId}) as sums
        using (account_id, mode, asset)
    )
    select account_id, mode, asset, 'posted' as number, posted_sum as expected, posted as found
      from balances where posted is distinct from posted_sum and not is_clearing
    union all
    select account_id, mode, asset, 'held', held_sum, held from balances where held is distinct from held_sum
    union all
    select null, mode, asset, 'sum', 0, sum(case when is_clearing then posted_sum else posted end)
      from balances group by mode, asset
      having sum(case when is_clearing then posted_sum else posted end) <> 0
    limit ${limit}`.execute(tx);
  return rows;
}
