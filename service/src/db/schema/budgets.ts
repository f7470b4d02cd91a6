import type { TenantId } from "../../foundation/ids.ts";
import type { UsdMicros } from "../../foundation/money/usd-micros.ts";
import type { BudgetPeriod, Mode } from "../../foundation/vocabulary.ts";
import type { Optional } from "./columns.ts";

interface BudgetTable {
  readonly tenantId: TenantId;
  readonly budgetId: string;
  readonly mode: Mode;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly name: string;
  readonly period: BudgetPeriod;
  readonly limitMicros: UsdMicros | null;
  readonly openedPeriodStart: Optional<Date | null>;
  readonly hasAlerts: Optional<boolean>;
  readonly eventSequence: Optional<number>;
  readonly blockedAlertAt: Optional<Date | null>;
}

interface BudgetPeriodTable {
  readonly tenantId: TenantId;
  readonly budgetId: string;
  readonly periodStart: Date;
  readonly heldMicros: UsdMicros;
  readonly spentMicros: UsdMicros;
  readonly alertedPercent: Optional<number>;
  readonly changedAt: Date;
}

interface BudgetReservationTable {
  readonly tenantId: TenantId;
  readonly reservationId: string;
  readonly mode: Mode;
  readonly causeType: string;
  readonly causeId: string;
  readonly amountMicros: UsdMicros;
  readonly status: "held" | "committed" | "released";
  readonly committedMicros: UsdMicros | null;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

interface BudgetReservationLineTable {
  readonly tenantId: TenantId;
  readonly budgetId: string;
  readonly periodStart: Date;
  readonly reservationId: string;
  /** What is counted in this budget. Null: the amount of the reservation. */
  readonly amountMicros: Optional<UsdMicros | null>;
}

export interface BudgetTables {
  readonly budgets: BudgetTable;
  readonly budgetPeriods: BudgetPeriodTable;
  readonly budgetReservations: BudgetReservationTable;
  readonly budgetReservationLines: BudgetReservationLineTable;
}
