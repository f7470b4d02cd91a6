import type { BudgetRefusal } from "../../budgets/reserve-budgets.ts";
import { AppError } from "../../foundation/errors.ts";
import { formatUsdMicros, usdMicros } from "../../foundation/money/usd-micros.ts";
import { PROJECT_CAP } from "./project-budgets.ts";

/** Creates the error for an amount that exceeds a cap. `advice` names the amount and says what the caller can do. */
export function capExceeded({ budget, limitMicros, usedMicros, resetsAt }: BudgetRefusal, advice: string): AppError {
  const left = limitMicros - usedMicros;
  const remaining = formatUsdMicros(usdMicros(left > 0n ? left : 0n));
  const limit = formatUsdMicros(limitMicros);
  const cap = budget.subjectType === PROJECT_CAP ? "The project's monthly cap" : `The project's cap for ${budget.name}`;
  const detail = `${cap} is ${limit} USD, of which ${remaining} USD remain. ${advice}`;
  const decision = {
    rule_id: budget.subjectType,
    limit,
    used: formatUsdMicros(usedMicros),
    remaining,
    resets_at: resetsAt.toISOString(),
  };
  return new AppError("cap_exceeded", { detail, decision });
}
