import type { UsdMicros } from "../../foundation/money/usd-micros.ts";
import type { BudgetPeriod } from "../../foundation/vocabulary.ts";
import type { CreatedOfMode, OfMode, OfTenant, Optional } from "./columns.ts";

export interface BudgetTables {
  readonly budgets: OfMode & {
    readonly budgetId: string;
    readonly subjectType: string;
    readonly subjectId: string;
    readonly name: string;
    readonly period: BudgetPeriod;
    readonly limitMicros: UsdMicros | null;
    readonly openedPeriodStart: Optional<Date | null>;
    readonly hasAlerts: Optional<boolean>;
    readonly eventSequence: Optional<number>;
    readonly blockedAlertAt: Optional<Date | null>;
  };
  readonly budgetPeriods: OfTenant & {
    readonly budgetId: string;
    readonly periodStart: Date;
    readonly heldMicros: UsdMicros;
    readonly spentMicros: UsdMicros;
    readonly alertedPercent: Optional<number>;
    readonly changedAt: Date;
  };
  readonly budgetReservations: CreatedOfMode & {
    readonly reservationId: string;
    readonly causeType: string;
    readonly causeId: string;
    readonly amountMicros: UsdMicros;
    readonly status: "held" | "committed" | "released";
    readonly committedMicros: UsdMicros | null;
    readonly settledAt: Date | null;
  };
  readonly budgetReservationLines: OfTenant & {
    readonly budgetId: string;
    readonly periodStart: Date;
    readonly reservationId: string;
    /** What is counted in this budget. Null: the amount of the reservation. */
    readonly amountMicros: Optional<UsdMicros | null>;
  };
}
