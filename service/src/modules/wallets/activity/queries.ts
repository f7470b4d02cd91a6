import { sql } from "kysely";
import type { Db } from "../../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../../db/pages.ts";
import type { AuditActor } from "../../../db/schema.ts";
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
  readonly kind: "funding" | "chain_deposit" | "incoming_payment" | "payment" | "freeze" | "unfreeze";
  /** Null for a freeze. */
  readonly asset: Asset | null;
  readonly baseUnits: bigint | null;
  /** Of a payment, or of a deposit on the chain. */
  readonly status: PaymentStatus | "pending" | null;
  /** Of a deposit on the chain. */
  readonly transactionHash: string | null;
  readonly freeze: ActivityFreeze | null;
}

/**
 * Returns one page of what happened to the wallet, newest first. Reads at most one page of each table. `at` selects which
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
  const activities = sql<Activity>`
    (select funding_id as id, 'funding' as kind, created_at, asset, base_units, null as status, null as transaction_hash,
        null::json as freeze
      from wallet_fundings where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("fundingId")})
    union all
    (select deposit_id, 'chain_deposit', created_at, asset, base_units, status, transaction_hash, null
      from deposits where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("depositId")})
    union all
    (select payment_id, 'payment', created_at, asset, base_units,
        case when status = any(${WAITING_PAYMENT_STATUSES}::text[]) and expires_at <= ${at} then 'expired' else status end, null, null
      from payments where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("paymentId")})
    union all
    (select payment_id, 'incoming_payment', created_at, asset, paid_base_units, status, null, null
      from payments where tenant_id = ${tenantId} and payee_wallet_id = ${walletId} and paid_base_units > 0
        -- A live wallet gets a deposit instead.
        and mode = 'test'
      ${pageOf("paymentId")})
    union all
    (select freeze_id, action, created_at, null, null, null, null, json_build_object(
        'mode', freeze_mode, 'source', source, 'reason', reason, 'note', note, 'reference', reference, 'by', actor)
      from wallet_freezes where tenant_id = ${tenantId} and wallet_id = ${walletId} ${pageOf("freezeId")})
    order by created_at desc, id desc limit ${limit + 1}`;
  return readPage(limit, async () => (await activities.execute(db)).rows);
}
