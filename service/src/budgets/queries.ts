import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { inTurns } from "../db/pages.ts";
import type { Row } from "../db/schema.ts";
import { tableOf } from "../db/table.ts";
import { selectWhere, updateWhere } from "../db/where.ts";
import type { Json } from "../foundation/canonical-json.ts";
import type { TenantId } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import type { UsdMicros } from "../foundation/money.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import { type AlertRow, alertOf, type Budget, type BudgetAlert, budgetIdOf, type ReserveBudgets } from "./budget.ts";

export type ReserveRow =
  | { readonly outcome: "reserved"; readonly alerts: readonly AlertRow[] }
  | { readonly outcome: "not_opened"; readonly budgetId: string | null }
  | {
      readonly outcome: "refused";
      readonly budgetId: string;
      readonly limit: string;
      readonly used: string;
      readonly resetsAt: string;
      readonly alertSequence: number | null;
    };

type SettleRow =
  | { readonly outcome: "settled"; readonly alerts: readonly AlertRow[] }
  | { readonly outcome: "not_held" };

async function callFunction<Result>(tx: Tx, call: RawBuilder<unknown>): Promise<Result> {
  const { rows } = await sql<{ result: Result }>`select ${call} as result`.execute(tx);
  const [row] = rows;
  invariant(row !== undefined, "a function returns a row");
  return row.result;
}

/** Calls `purser_reserve_budgets`, in the migration `0009_budgets.sql`. */
export function callReserveBudgets(
  tx: Tx,
  reservation: Omit<ReserveBudgets, "budgets"> & { readonly lines: Json },
): Promise<ReserveRow> {
  const { reservationId, mode, causeType, causeId, amountMicros, at, recordedAt } = reservation;
  const { lines, isOwed = false } = reservation;
  return callFunction(
    tx,
    sql`purser_reserve_budgets(${reservationId}, ${mode}, ${causeType}, ${causeId}, ${amountMicros}, ${at},
      ${recordedAt}, ${JSON.stringify(lines)}, ${isOwed})`,
  );
}

/**
 * Commits a reservation at the given amount, or releases it if the amount is null, in the periods in which it was
 * reserved. The amount can be lower than the reserved one, or higher if the cost is owed already. Returns undefined if
 * the reservation was settled before. The caller writes the events about the returned alerts in the same transaction.
 */
export async function settleReservation(
  tx: Tx,
  {
    reservationId,
    committedMicros,
    at,
  }: { readonly reservationId: string; readonly committedMicros: UsdMicros | null; readonly at: Date },
): Promise<readonly BudgetAlert[] | undefined> {
  const settled = sql`purser_settle_reservation(${reservationId}, ${committedMicros}, ${at})`;
  const result = await callFunction<SettleRow>(tx, settled);
  return result.outcome === "settled" ? result.alerts.map(alertOf) : undefined;
}

interface RefundReservation {
  readonly reservationId: string;
  readonly budget: Budget;
  /** At most what the reservation still counts. */
  readonly amountMicros: UsdMicros;
  readonly at: Date;
}

/**
 * Lowers what a committed reservation counts in one budget, because this part of the amount was paid back. Does nothing if
 * the reservation counts in an earlier period of the budget than the one at the given time. Other budgets do not change.
 * Locks the budget until the transaction ends.
 */
export async function refundReservation(
  tx: Tx,
  { reservationId, budget, amountMicros, at }: RefundReservation,
): Promise<void> {
  await callFunction(
    tx,
    sql`purser_refund_reservation(${reservationId}, ${budgetIdOf(budget)}, ${amountMicros}, ${at})`,
  );
}

/** Returns the id of the reservation that is held for an object, or undefined. */
export async function findHeldReservation(
  tx: Tx,
  { tenantId, causeType, causeId }: Pick<Row<"budgetReservations">, "tenantId" | "causeType" | "causeId">,
): Promise<string | undefined> {
  const row = await selectWhere(tx, "budgetReservations", { tenantId, causeType, causeId, status: "held" })
    .select("reservationId")
    .executeTakeFirst();
  return row?.reservationId;
}

/**
 * Changes the limits of those of the given budgets that exist. A new limit can be lower than the amounts held and spent.
 * The caller writes the events about the returned alerts in the same transaction.
 */
export async function setBudgetLimits(
  tx: Tx,
  limits: readonly (Budget & { readonly limitMicros: UsdMicros | null })[],
  at: Date,
): Promise<readonly BudgetAlert[]> {
  const lines = limits.map(({ limitMicros, ...budget }) => ({
    budget_id: budgetIdOf(budget),
    limit_micros: limitMicros === null ? null : String(limitMicros),
  }));
  const call = sql`purser_set_budget_limits(${JSON.stringify(lines)}, ${at})`;
  return (await callFunction<readonly AlertRow[]>(tx, call)).map(alertOf);
}

type BudgetRow = Row<"budgets">;

export const budgetRows = tableOf("budgets", ["tenantId", "budgetId"]);

/** Excludes the subject's budgets from those whose next period must be opened. */
export async function closeBudgetsOfSubject(
  tx: Tx,
  { tenantId, subjectId }: Pick<BudgetRow, "tenantId" | "subjectId">,
): Promise<void> {
  await updateWhere(tx, "budgets", { tenantId, subjectId })
    .set({ openedPeriodStart: sql`'infinity'` })
    .where("openedPeriodStart", "is not", null)
    .execute();
}

/** A budget whose next period must be opened. */
type BudgetToOpen = Pick<BudgetRow, "openedPeriodStart" | "tenantId" | "budgetId" | "subjectId" | "mode">;

/** Yields the budgets of a type, of all tenants, whose period at `periodStart` is not open. The longest due come first. */
export function budgetsToOpen(db: Db, subjectType: string, periodStart: Date): AsyncGenerator<BudgetToOpen> {
  return inTurns<BudgetToOpen>(db, ["openedPeriodStart", "tenantId", "budgetId"], () =>
    selectWhere(db, "budgets", { subjectType })
      .select(["openedPeriodStart", "tenantId", "budgetId", "subjectId", "mode"])
      .where("openedPeriodStart", "<", periodStart),
  );
}

/** A budget whose numbers do not match its reservations. */
export interface WrongBudget {
  readonly budgetId: string;
  /** Null if the budget's row is missing. */
  readonly mode: Mode | null;
  readonly periodStart: Date;
  readonly heldMicros: bigint | null;
  readonly spentMicros: bigint | null;
  /** The sums of the reservations. */
  readonly reservedMicros: bigint;
  readonly committedMicros: bigint;
}

/**
 * Compares the budgets' periods that changed since `changedSince` with their reservations. Returns those that differ, at most
 * 100. `heldMicros` and `spentMicros` are null if the period's row is missing.
 */
export async function listWrongBudgets(
  tx: Tx,
  { tenantId, changedSince }: { readonly tenantId: TenantId; readonly changedSince: Date },
): Promise<WrongBudget[]> {
  const { rows } = await sql<WrongBudget>`
    with changed as (
      select budget_id, period_start from budget_periods where tenant_id = ${tenantId} and changed_at >= ${changedSince}
      union
      select line.budget_id, line.period_start
      from budget_reservations as reservation
      join budget_reservation_lines as line
        on line.tenant_id = reservation.tenant_id and line.reservation_id = reservation.reservation_id
      where reservation.tenant_id = ${tenantId} and reservation.created_at >= ${changedSince}
    )
    select changed.budget_id, budget.mode, changed.period_start, counted.held_micros, counted.spent_micros,
      reserved.held as reserved_micros, reserved.committed as committed_micros
    from changed
    left join budgets as budget on budget.tenant_id = ${tenantId} and budget.budget_id = changed.budget_id
    left join budget_periods as counted on counted.tenant_id = ${tenantId}
      and counted.budget_id = changed.budget_id and counted.period_start = changed.period_start
    cross join lateral (
      select coalesce(sum(coalesce(line.amount_micros, reservation.amount_micros))
          filter (where reservation.status = 'held'), 0) as held,
        coalesce(sum(coalesce(line.amount_micros, reservation.committed_micros))
          filter (where reservation.status = 'committed'), 0) as committed
      from budget_reservation_lines as line
      join budget_reservations as reservation
        on reservation.tenant_id = line.tenant_id and reservation.reservation_id = line.reservation_id
      where line.tenant_id = ${tenantId} and line.budget_id = changed.budget_id
        and line.period_start = changed.period_start
    ) as reserved
    where counted.held_micros is distinct from reserved.held or counted.spent_micros is distinct from reserved.committed
    order by changed.budget_id, changed.period_start limit 100`.execute(tx);
  return rows;
}
