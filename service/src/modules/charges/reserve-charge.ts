import type { Actor } from "../../audit/append.ts";
import { type NewBudget, NO_MAXIMUM } from "../../budgets/budget.ts";
import { type BudgetRefusal, reserveBudgets } from "../../budgets/reserve-budgets.ts";
import type { Tx } from "../../db/database.ts";
import { newId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { usdMicrosFromCents } from "../../foundation/money.ts";
import { type PricedService, priceOf } from "../catalog/plans.ts";
import { isCap, projectCap, providerCap, recordCapAlerts, recordCapBlocked } from "../projects/caps.ts";
import type { Project } from "../projects/queries.ts";
import type { Period } from "../projects/usage.ts";
import { describeCharge, findMeteredPlan } from "./charge-amount.ts";
import { type ChargedService, chargeRows } from "./queries.ts";

export interface ReserveCharge {
  readonly service: PricedService & Pick<ChargedService, "serviceId" | "provider" | "agentId">;
  readonly month: Period;
  readonly amountCents: bigint;
  /** The current time. Later than the month if a missed month is opened. */
  readonly recordedAt: Date;
  /** The start of what the amount is for. Default: the start of the month. */
  readonly from?: Date;
  /** The default is the type of the plan's price. */
  readonly type?: "adjustment";
  /** Reserves the amount even if it exceeds a cap. */
  readonly isOwed: boolean;
  /** Other budgets that the amount is reserved in, for example the limits of policies. Default: none. */
  readonly limits?: readonly NewBudget[];
  /** The types of the caps that a person has approved to exceed. Default: none. */
  readonly approvedCaps?: readonly string[];
}

/**
 * Reserves a service's cost in one month against the caps of the project and of the provider, and inserts the charge. The
 * month must be open. Returns the charge's id, or the budget that is too small. The caller must commit the transaction even
 * then, because an event was written if it is a cap.
 */
export async function reserveCharge(
  tx: Tx,
  actor: Actor,
  project: Project,
  {
    service,
    month,
    from = month.start,
    type,
    amountCents,
    recordedAt,
    isOwed,
    limits = [],
    approvedCaps = [],
  }: ReserveCharge,
): Promise<string | BudgetRefusal> {
  const { tenantId, projectId, mode } = project;
  const { serviceId, provider, agentId } = service;
  const [chargeId, reservationId] = [newId("ch"), newId("rsv")];
  const amountMicros = usdMicrosFromCents(amountCents);
  const outcome = await reserveBudgets(tx, {
    reservationId,
    mode,
    causeType: "charge",
    causeId: chargeId,
    amountMicros,
    budgets: [
      ...limits,
      ...[projectCap(project), providerCap(project, provider)].map((cap) =>
        approvedCaps.includes(cap.subjectType) ? { ...cap, maxMicros: NO_MAXIMUM } : cap,
      ),
    ],
    at: month.start,
    recordedAt,
    isOwed,
  });
  invariant(outcome.outcome !== "not_opened", "the month is open");
  if (outcome.outcome === "refused") {
    const cause = { type: "service", id: serviceId };
    if (isCap(outcome.budget)) {
      await recordCapBlocked(tx, actor, project, { refusal: outcome, amountMicros, cause, at: recordedAt });
    }
    return outcome;
  }
  await chargeRows.insert(tx, {
    tenantId,
    chargeId,
    reservationId,
    projectId,
    mode,
    serviceId,
    provider,
    agentId,
    type: type ?? (findMeteredPlan(service) === undefined ? "subscription" : "usage"),
    plan: service.plan,
    description: describeCharge(service, month),
    amountCents,
    currency: "usd",
    status: "reserved",
    billedBy: priceOf(service).billedBy,
    periodStart: from,
    periodEnd: month.end,
    occurredAt: recordedAt,
  });
  await recordCapAlerts(tx, actor, project, { alerts: outcome.alerts, at: recordedAt });
  return chargeId;
}
