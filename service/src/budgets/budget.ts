import { type UsdMicros, usdMicros } from "../foundation/money.ts";
import type { BudgetPeriod, Mode } from "../foundation/vocabulary.ts";

/** What a budget limits: for example, the spending of a project at one provider. */
export interface Budget {
  /** Also the `rule_id` of a refusal, for example `project_cap`. */
  readonly subjectType: string;
  readonly subjectId: string;
  /** Distinguishes the budgets of a subject. Empty if the subject has only one. */
  readonly name: string;
  /** Replaces the limit that is stored with the budget, for example by that of a policy's rule. */
  readonly maxMicros?: UsdMicros;
  /** What a reservation counts in this budget instead of its amount. A budget of operations counts one for each. */
  readonly countedMicros?: UsdMicros;
}

/** A maximum that no amount exceeds. */
export const NO_MAXIMUM = usdMicros(10n ** 30n);

/**
 * Returns the id of a budget. All transactions lock budgets in the order of their ids, and a refusal names the first
 * budget in this order that is too small (docs/decisions/0008-budgets.md).
 */
export function budgetIdOf({ subjectType, subjectId, name }: Budget): string {
  return [subjectType, subjectId, ...(name === "" ? [] : [name])].join(":");
}

/** A budget with the values that it is created with. */
export interface NewBudget extends Budget {
  readonly period: BudgetPeriod;
  /** Null: the budget has no limit and only counts. */
  readonly limitMicros: UsdMicros | null;
}

/** The object that a reservation is for. */
export interface ReservationCause {
  readonly mode: Mode;
  readonly causeType: string;
  readonly causeId: string;
}

export interface ReserveBudgets extends ReservationCause {
  readonly reservationId: string;
  readonly amountMicros: UsdMicros;
  /** The amount is reserved in all of these budgets. One that is a `NewBudget` is created if it is missing. */
  readonly budgets: readonly (Budget | NewBudget)[];
  /** Selects the periods. */
  readonly at: Date;
  /** The current time. Later than the period if a missed month is opened. */
  readonly recordedAt: Date;
  /** Reserves the amount even if it exceeds a limit, because it is owed already. */
  readonly isOwed?: boolean;
}

/** A percentage of a budget's limit that was reached for the first time in a period. */
export interface BudgetAlert {
  readonly budgetId: string;
  readonly percent: number;
  /** The sequence number of the event about this alert. */
  readonly sequence: number;
  readonly limitMicros: UsdMicros;
  readonly heldMicros: UsdMicros;
  readonly spentMicros: UsdMicros;
  readonly periodStart: Date;
}

/** An alert as the functions in the migration `0009_budgets.sql` return it. Amounts are decimal texts. */
export interface AlertRow {
  readonly budgetId: string;
  readonly percent: number;
  readonly sequence: number;
  readonly limit: string;
  readonly held: string;
  readonly spent: string;
  readonly periodStart: string;
}

export function alertOf(row: AlertRow): BudgetAlert {
  const { budgetId, percent, sequence } = row;
  return {
    budgetId,
    percent,
    sequence,
    limitMicros: storedMicrosOf(row.limit),
    heldMicros: storedMicrosOf(row.held),
    spentMicros: storedMicrosOf(row.spent),
    periodStart: new Date(row.periodStart),
  };
}

/** Converts an amount that a function of the database returned as text. */
export function storedMicrosOf(text: string): UsdMicros {
  return usdMicros(BigInt(text));
}
