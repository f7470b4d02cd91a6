import { type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { PaymentTable } from "../../db/schema.ts";
import type { PaymentId, ProjectId } from "../../foundation/ids.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import type { PaymentStatus } from "../../foundation/vocabulary.ts";

export type Payment = Selectable<PaymentTable>;

/** Identifies a payment within a tenant. */
export type PaymentKey = Pick<Payment, "tenantId" | "paymentId">;

/**
 * The rows that a credential can read. A key that is bound to agents reads the payments that these agents made or that
 * were made to their wallets.
 */
export type PaymentScope = Pick<TenantScope, "tenantId" | "mode" | "agentIds">;

function selectInScope(db: Db, { tenantId, mode, agentIds }: PaymentScope) {
  const payments = db
    .selectFrom("payments")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode);
  if (agentIds.length === 0) return payments;
  return payments.where(
    sql<boolean>`(agent_id = any(${agentIds}::uuid[]) or payee_agent_id = any(${agentIds}::uuid[]))`,
  );
}

export async function findPayment(
  db: Db,
  scope: PaymentScope,
  paymentId: PaymentId,
): Promise<Payment | undefined> {
  return selectInScope(db, scope).where("paymentId", "=", paymentId).executeTakeFirst();
}

/** Returns the payment and locks its row until the transaction ends. */
export async function lockPayment(
  tx: Tx,
  { tenantId, paymentId }: PaymentKey,
): Promise<Payment | undefined> {
  return tx
    .selectFrom("payments")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("paymentId", "=", paymentId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Updates a payment. The caller must have locked it. */
export async function updatePayment(
  tx: Tx,
  { tenantId, paymentId }: PaymentKey,
  changes: Updateable<PaymentTable>,
): Promise<Payment> {
  return tx
    .updateTable("payments")
    .set(changes)
    .where("tenantId", "=", tenantId)
    .where("paymentId", "=", paymentId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface PaymentFilter {
  /** The status at the time `at`. */
  readonly status: PaymentStatus | undefined;
  /** In lowercase. */
  readonly agentId: string | undefined;
  readonly walletId: string | undefined;
  readonly projectId: string | undefined;
  readonly at: Date;
}

/** Returns the payments after `afterPaymentId`, newest first. */
export async function listPaymentRows(
  db: Db,
  scope: PaymentScope,
  {
    status,
    agentId,
    walletId,
    projectId,
    at,
    afterPaymentId,
    limit,
  }: PaymentFilter & { readonly afterPaymentId: string | undefined; readonly limit: number },
): Promise<Payment[]> {
  let payments = selectInScope(db, scope);
  if (agentId !== undefined) payments = payments.where("agentId", "=", agentId);
  if (walletId !== undefined) {
    payments = payments.where(sql<boolean>`wallet_id = ${walletId}`);
  }
  if (projectId !== undefined) {
    payments = payments.where("projectId", "=", projectId as ProjectId);
  }
  if (status !== undefined) {
    payments = payments.where(
      sql<boolean>`case when status in ('requires_approval', 'authorized') and expires_at <= ${at}
        then 'expired' else status end = ${status}`,
    );
  }
  if (afterPaymentId !== undefined) {
    payments = payments.where(
      sql<boolean>`(created_at, payment_id) < (select created_at, payment_id from payments
        where tenant_id = ${scope.tenantId} and payment_id = ${afterPaymentId})`,
    );
  }
  return payments.orderBy("createdAt", "desc").orderBy("paymentId", "desc").limit(limit).execute();
}
