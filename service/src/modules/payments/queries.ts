import { sql, type Updateable } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns, isAfter, type ListedPage, type Page, readNewest } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { exists, rowsWhere, sameColumns, selectWhere } from "../../db/where.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { LedgerAccountId, PaymentId, ProjectId, TenantId, WalletId } from "../../foundation/ids.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import { type PaymentStatus, WAITING_PAYMENT_STATUSES } from "../../foundation/vocabulary.ts";

export const paymentRows = tableOf("payments", ["tenantId", "paymentId"]);

/** The payees, in lowercase, that agents have paid. */
export const paidPayeeRows = tableOf("paidPayees", ["tenantId", "mode", "agentId", "payeeAddress"]);

export type Payment = Row<"payments">;

/** New values of a payment. */
export type PaymentValues = Updateable<Schema["payments"]>;

/** Identifies a payment within a tenant. */
export type PaymentKey = Pick<Payment, "tenantId" | "paymentId">;

/**
 * The rows that a credential can read. A key that is bound to agents reads the payments that these agents made or that
 * were made to their wallets.
 */
export type PaymentScope = Pick<TenantScope, "tenantId" | "mode" | "agentIds">;

function selectInScope(db: Db, { tenantId, mode, agentIds }: PaymentScope) {
  const payments = rowsWhere(db, "payments", { tenantId, mode });
  if (agentIds.length === 0) return payments;
  return payments.where(
    sql<boolean>`(agent_id = any(${agentIds}::uuid[]) or payee_agent_id = any(${agentIds}::uuid[]))`,
  );
}

export async function findPayment(db: Db, scope: PaymentScope, paymentId: PaymentId): Promise<Payment | undefined> {
  return selectInScope(db, scope).where("paymentId", "=", paymentId).executeTakeFirst();
}

/** A payment that waits for an approval or a capture. */
export type WaitingPayment = Pick<Payment, "tenantId" | "paymentId" | "walletId" | "mode">;

/** Returns one page of the payments of a wallet that wait. */
export async function listWaitingPayments(
  db: Db,
  { tenantId, walletId, after, limit }: Page<WaitingPayment> & Pick<Payment, "tenantId" | "walletId">,
): Promise<WaitingPayment[]> {
  return selectWaiting(db)
    .where("payments.tenantId", "=", tenantId)
    .where("payments.walletId", "=", walletId)
    .where(isAfter(after, ["paymentId"]))
    .orderBy("payments.paymentId")
    .limit(limit)
    .execute();
}

/** Locks and returns the oldest queued payment of a wallet that no other transaction has locked. */
export async function lockNextQueued(
  tx: Tx,
  { tenantId, walletId }: Pick<Payment, "tenantId" | "walletId">,
): Promise<Payment | undefined> {
  return (
    rowsWhere(tx, "payments", { tenantId, walletId })
      // A constant, so that the index of waiting payments is used.
      .where(sql<boolean>`status = 'queued'`)
      .orderBy("paymentId")
      .limit(1)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst()
  );
}

/** Returns how many payments of all tenants hold an amount, or wait for a person, by their status. */
export function countWaitingPayments(db: Db): Promise<{ readonly status: PaymentStatus; readonly count: number }[]> {
  return db
    .selectFrom("payments")
    .select(["status", sql<number>`count(*)::integer`.as("count")])
    .where("status", "in", WAITING_PAYMENT_STATUSES)
    .groupBy("status")
    .execute();
}

/** Yields the waiting payments of all frozen wallets. */
export function paymentsOfFrozenWallets(db: Db): AsyncGenerator<WaitingPayment> {
  return inTurns<WaitingPayment>(db, ["walletId", "paymentId", "tenantId"], () =>
    db
      .selectFrom("wallets")
      .innerJoin("payments", sameColumns("payments", "wallets", ["tenantId", "walletId"]))
      .select(["payments.tenantId", "payments.paymentId", "payments.walletId", "payments.mode"])
      .where("wallets.freezeMode", "is not", null)
      .where("payments.status", "in", WAITING_PAYMENT_STATUSES),
  );
}

/** A waiting payment in the order in which they expire. */
interface DuePayment extends WaitingPayment {
  readonly expiresAt: Date;
}

/** Yields the waiting payments of all tenants that have expired, the longest due first. */
export function expiredPayments(db: Db, clock: Clock): AsyncGenerator<DuePayment> {
  return inTurns<DuePayment>(db, ["expiresAt", "tenantId", "paymentId"], () =>
    db
      .selectFrom("payments")
      .select(["tenantId", "paymentId", "walletId", "mode", "expiresAt"])
      .where("status", "in", WAITING_PAYMENT_STATUSES)
      .where("expiresAt", "<=", clock.now())
      .$narrowType<{ expiresAt: Date }>(),
  );
}

/** Returns authorizations of the tenant that have expired, the longest due first. */
export async function listExpiredAuthorizations(
  db: Db,
  { tenantId, mode, at, limit }: Pick<Payment, "tenantId" | "mode"> & { readonly at: Date; readonly limit: number },
): Promise<WaitingPayment[]> {
  return selectWaiting(db)
    .where("payments.tenantId", "=", tenantId)
    .where("payments.mode", "=", mode)
    .where("payments.status", "=", "authorized")
    .where("payments.expiresAt", "<=", at)
    .orderBy("payments.expiresAt")
    .limit(limit)
    .execute();
}

function selectWaiting(db: Db) {
  return db
    .selectFrom("payments")
    .select(["payments.tenantId", "payments.paymentId", "payments.walletId", "payments.mode"])
    .where("payments.status", "in", WAITING_PAYMENT_STATUSES);
}

export interface PaymentFilter {
  /** The status at the time `at`. */
  readonly status: PaymentStatus | undefined;
  /** In lowercase. */
  readonly agentId: string | undefined;
  readonly walletId: string | undefined;
  readonly projectId: string | undefined;
  readonly reference: string | undefined;
  /** The earliest time of creation. */
  readonly createdAfter: Date | undefined;
  /** Payments created at this time or later do not match. */
  readonly createdBefore: Date | undefined;
  readonly at: Date;
}

export async function listPayments(
  db: Db,
  scope: PaymentScope,
  { status, at, after, limit, ...filter }: PaymentFilter & Page<string>,
): Promise<ListedPage<Payment>> {
  const { agentId, walletId, projectId, reference, createdAfter, createdBefore } = filter;
  let payments = selectInScope(db, scope);
  if (agentId !== undefined) payments = payments.where("agentId", "=", agentId);
  if (walletId !== undefined) payments = payments.where("walletId", "=", walletId as WalletId);
  if (projectId !== undefined) payments = payments.where("projectId", "=", projectId as ProjectId);
  if (reference !== undefined) payments = payments.where("reference", "=", reference);
  if (createdAfter !== undefined) payments = payments.where("createdAt", ">=", createdAfter);
  if (createdBefore !== undefined) payments = payments.where("createdAt", "<", createdBefore);
  if (status !== undefined) {
    payments = payments.where(
      sql<boolean>`case when status = any(${WAITING_PAYMENT_STATUSES}::text[]) and expires_at <= ${at}
        then 'expired' else status end = ${status}`,
    );
  }
  return readNewest(payments, { tenantId: scope.tenantId, table: "payments", column: "paymentId" }, { after, limit });
}

/** Why a ledger account may not send or accept money. */
export type AccountState = Pick<Row<"ledgerAccounts">, "accountId" | "frozen" | "stopped">;

export async function listAccountStates(
  tx: Tx,
  { tenantId, accountIds }: { readonly tenantId: TenantId; readonly accountIds: readonly LedgerAccountId[] },
): Promise<AccountState[]> {
  return selectWhere(tx, "ledgerAccounts", { tenantId })
    .select(["accountId", "frozen", "stopped"])
    .where("accountId", "in", accountIds)
    .execute();
}

export async function isWalletFrozen(
  db: Db,
  { tenantId, walletId }: Pick<Payment, "tenantId" | "walletId">,
): Promise<boolean> {
  return exists(rowsWhere(db, "wallets", { tenantId, walletId }).where("freezeMode", "is not", null));
}
