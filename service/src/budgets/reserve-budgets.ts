import type { Tx } from "../db/database.ts";
import type { UsdMicros } from "../foundation/money.ts";
import {
  alertOf,
  type Budget,
  type BudgetAlert,
  budgetIdOf,
  type NewBudget,
  type ReserveBudgets,
  storedMicrosOf,
} from "./budget.ts";
import { callReserveBudgets, type ReserveRow } from "./queries.ts";

/** The first budget that is too small for an amount. */
export interface BudgetRefusal {
  readonly outcome: "refused";
  readonly budget: Budget;
  readonly limitMicros: UsdMicros;
  /** The amounts held and spent in the current period. */
  readonly usedMicros: UsdMicros;
  /** When the period ends or, for a rolling window, when the oldest amount leaves it. */
  readonly resetsAt: Date;
  /** The sequence number of the event about this refusal. Null if another refusal was reported in the last minute. */
  readonly alertSequence: number | null;
}

export type ReserveOutcome =
  | { readonly outcome: "reserved"; readonly alerts: readonly BudgetAlert[] }
  /** The current period of a budget must be opened first. */
  | { readonly outcome: "not_opened" }
  | BudgetRefusal;

/**
 * Reserves an amount in all given budgets, or in none. The caller writes the events about the returned alerts in the
 * same transaction. Locks the budgets until the transaction ends.
 */
export async function reserveBudgets(tx: Tx, command: ReserveBudgets): Promise<ReserveOutcome> {
  const { budgets, ...reservation } = command;
  const lines = budgets.map(lineOf);
  return reserveOutcomeOf(await callReserveBudgets(tx, { ...reservation, lines }), budgets);
}

/** Converts the result of the database. `budgets` are the budgets that the amount was to be reserved in. */
export function reserveOutcomeOf(result: ReserveRow, budgets: readonly (Budget | NewBudget)[]): ReserveOutcome {
  if (result.outcome === "not_opened") return { outcome: "not_opened" };
  if (result.outcome === "reserved") {
    return { outcome: "reserved", alerts: result.alerts.map(alertOf) };
  }
  const budget = budgets.find((each) => budgetIdOf(each) === result.budgetId);
  if (budget === undefined) throw new Error("a refusal names one of the given budgets");
  return {
    outcome: "refused",
    budget,
    limitMicros: storedMicrosOf(result.limit),
    usedMicros: storedMicrosOf(result.used),
    resetsAt: new Date(result.resetsAt),
    alertSequence: result.alertSequence,
  };
}

/** Returns a budget that exists as an element of `lines` of `purser_reserve_budgets`. */
export function existingLineOf(budget: Budget) {
  const { maxMicros, countedMicros } = budget;
  return {
    budget_id: budgetIdOf(budget),
    ...(maxMicros !== undefined && { max_micros: String(maxMicros) }),
    ...(countedMicros !== undefined && { amount_micros: String(countedMicros) }),
  };
}

/** Like `existingLineOf`, for a budget that is created if it is missing. */
export function lineOf(budget: Budget | NewBudget) {
  if (!("period" in budget)) return existingLineOf(budget);
  return {
    ...existingLineOf(budget),
    subject_type: budget.subjectType,
    subject_id: budget.subjectId,
    name: budget.name,
    period: budget.period,
    limit_micros: budget.limitMicros === null ? null : String(budget.limitMicros),
  };
}
