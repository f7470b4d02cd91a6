import { sql } from "kysely";
import type { Db } from "../../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../../db/pages.ts";
import type { AuditActor } from "../../../db/schema.ts";
import type { PaymentId } from "../../../foundation/ids.ts";
import type { Asset } from "../../../foundation/money.ts";
import {
  type FreezeMode,
  type FreezeReason,
  type FreezeSource,
  type PaymentStatus,
  WAITING_PAYMENT_STATUSES,
} from "../../../foundation/vocabulary.ts";
import type { WalletKey } from "../queries.ts";
import { getWallet } from "../wallets.ts";

interface ActivityFreeze {
  readonly mode: FreezeMode;
  readonly source: FreezeSource;
  readonly reason: FreezeReason | null;
  readonly note: string | null;
  readonly reference: string | null;
  readonly by: Pick<AuditActor, "type" | "id">;
}

/** The sort key of an activity. */
export interface ActivityPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export interface Activity extends ActivityPosition {
  readonly kind:
    | "funding"
    | "chain_deposit"
    | "incoming_payment"
    | "payment"
    | "incoming_refund"
    | "refund"
    | "freeze"
    | "unfreeze";
  /** Null for a freeze. */
  readonly asset: Asset | null;
  readonly baseUnits: bigint | null;
  /** What has entered or left the wallet. Null for a freeze. */
  readonly movedBaseUnits: bigint | null;
  /** Of an authorization by the wallet that was captured. */
  readonly capturedBaseUnits: bigint | null;
  /** Of a payment, or of a deposit on the chain. */
  readonly status: PaymentStatus | "pending" | null;
  /** Of a deposit on the chain. */
  readonly transactionHash: string | null;
  readonly paymentId: PaymentId | null;
  readonly freeze: ActivityFreeze | null;
}

/**
 * Returns one page of what happened to the wallet, newest first. Reads at most one page of each table,
 * and of the refunds of each of the wallet's tokens. `at` selects which
 * payments have expired. Throws `wallet_not_found`.
 */
export async function listActivity(
  db: Db,
  key: WalletKey,
  { after, limit, at }: Page<ActivityPosition> & { readonly at: Date },
): Promise<ListedPage<Activity>> {
  const { tenantId, walletId } = await getWallet(db, key);
  const [time, id] = [after?.createdAt ?? null, after?.id ?? null];
  const pageOf = (idColumn: string) => sql`
    and (${time}::timestamptz is null or (created_at, ${sql.ref(idColumn)}) < (${time}::timestamptz, ${id}::text))
    order by created_at desc, ${sql.ref(idColumn)} desc limit ${limit + 1}`;
  const refundsOf = (account: "debitAccountId" | "creditAccountId", kind: Activity["kind"]) => sql`
    select transfer_id, ${sql.lit(kind)}, refund.created_at, refund.asset, amount, amount, null::numeric, 'confirmed', null,
        cause_id, null::json
      from ledger_accounts as account, lateral (
        select * from ledger_transfers where ledger_transfers.tenant_id = ${tenantId} and cause_type = 'refund'
          and ${sql.ref(account)} = account.account_id ${pageOf("transferId")}
      ) as refund
      where account.tenant_id = ${tenantId} and account.subject_id = ${walletId} and account.kind = 'wallet'`;
  const activities = sql<Activity>`
    (select funding_id as id, 'funding' as kind, created_at, asset, base_units, base_units as moved_base_units,
        null::numeric as captured_base_units, null as status, null as transaction_hash, null as payment_id,
        null::json as freeze
      from wallet_fundings where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("fundingId")})
    union all
    (select deposit_id, 'chain_deposit', created_at, asset, base_units,
        case when status = 'confirmed' then base_units else 0 end, null, status, transaction_hash, null, null
      from deposits where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("depositId")})
    union all
    (select payment_id, 'payment', created_at, asset, base_units, coalesce(paid_base_units, 0),
        case when execution = 'authorize_only' then coalesce(paid_base_units, captured_base_units) end,
        case when status = any(${WAITING_PAYMENT_STATUSES}::text[]) and expires_at <= ${at} then 'expired' else status end,
        null, payment_id, null
      from payments where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("paymentId")})
    union all
    (select payment_id, 'incoming_payment', created_at, asset, paid_base_units, paid_base_units, null, status, null,
        payment_id, null
      from payments where tenant_id = ${tenantId} and payee_wallet_id = ${walletId} and paid_base_units > 0
        -- A live wallet gets a deposit instead.
        and mode = 'test'
      ${pageOf("paymentId")})
    union all
    (${refundsOf("creditAccountId", "incoming_refund")})
    union all
    (${refundsOf("debitAccountId", "refund")})
    union all
    (select freeze_id, action, created_at, null, null, null, null, null, null, null, json_build_object(
        'mode', freeze_mode, 'source', source, 'reason', reason, 'note', note, 'reference', reference, 'by', actor)
      from wallet_freezes where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("freezeId")})
    order by created_at desc, id desc limit ${limit + 1}`;
  return readPage(limit, async () => (await activities.execute(db)).rows);
}
