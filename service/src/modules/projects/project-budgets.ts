import type { Budget, NewBudget } from "../../budgets/budget.ts";
import type { Row } from "../../db/schema.ts";
import { usdMicrosFromCents } from "../../foundation/money/usd-micros.ts";

export const PROJECT_CAP = "project_cap";
export const PROVIDER_CAP = "provider_cap";

/** Returns the budget of the project's monthly cap. Its periods must be opened (see `openMonths`). */
export function projectCap({ projectId }: Pick<Row<"projects">, "projectId">): Budget {
  return { subjectType: PROJECT_CAP, subjectId: projectId, name: "" };
}

/** Returns true for the budget of a project's or a provider's cap. */
export function isCap({ subjectType }: Budget): boolean {
  return subjectType === PROJECT_CAP || subjectType === PROVIDER_CAP;
}

/**
 * Returns the budget of the project's spending at one provider. It exists for each provider with charges, and has no
 * limit if the provider has no cap.
 */
export function providerCap(
  { projectId, providerCaps }: Pick<Row<"projects">, "projectId" | "providerCaps">,
  provider: string,
): NewBudget {
  const cap = providerCaps[provider];
  return {
    subjectType: PROVIDER_CAP,
    subjectId: projectId,
    name: provider,
    period: "calendar_month",
    limitMicros: cap === undefined ? null : usdMicrosFromCents(BigInt(cap)),
  };
}
