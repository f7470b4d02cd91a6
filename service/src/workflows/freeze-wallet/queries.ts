import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { TenantId, WalletId } from "../../foundation/ids.ts";
import { WAITING_PAYMENT_STATUSES } from "../../foundation/vocabulary.ts";

/** Returns the number of the wallets' payments that wait for an approval or a capture. */
export async function countWaitingPayments(
  db: Db,
  {
    tenantId,
    walletIds,
    at,
  }: {
    readonly tenantId: TenantId;
    readonly walletIds: readonly WalletId[];
    readonly at: Date;
  },
): Promise<number> {
  const { count } = await db
    .selectFrom("payments")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("tenantId", "=", tenantId)
    .where(sql<boolean>`wallet_id = any(${walletIds}::text[])`)
    .where("status", "in", WAITING_PAYMENT_STATUSES)
    .where(sql<boolean>`(expires_at is null or expires_at > ${at})`)
    .executeTakeFirstOrThrow();
  return Number(count);
}
