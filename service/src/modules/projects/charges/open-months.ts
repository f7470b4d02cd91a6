import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { openBudget } from "../../../budgets/open-budget.ts";
import { reserveBudgets } from "../../../budgets/reserve-budgets.ts";
import type { Tx } from "../../../db/database.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { usdMicrosFromCents } from "../../../foundation/money/usd-micros.ts";
import type { Project } from "../queries.ts";
import type { Service } from "../services/queries.ts";
import { type Period, periodOf } from "../usage.ts";
import { describeCharge, findMeteredPlan, monthlyCostCents } from "./charge-amount.ts";
import { projectCap, providerCap } from "./project-budgets.ts";
import { insertCharge, listServicesToReserve } from "./queries.ts";
import { recordCapAlerts } from "./record-cap-change.ts";

/**
 * Opens the project's budget for the current month, and for each month since the last one that was opened. In each month,
 * first reserves what the services in place cost, even above the cap. Whatever is new is reserved later, so it cannot
 * take the room of what is owed. Does nothing if the month is open. The caller must have locked the project.
 *
 * @returns the time at which to reserve what is new: now, or the start of the open month if another process whose clock
 * is slightly ahead has already opened the next month
 */
export async function openMonths(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  project: Project,
): Promise<Date> {
  const now = clock.now();
  const current = periodOf(now);
  const { tenantId, mode, monthlyCapCents } = project;
  const limitMicros = usdMicrosFromCents(monthlyCapCents);
  const budget = {
    ...projectCap(project),
    tenantId,
    mode,
    period: "calendar_month" as const,
    limitMicros,
  };
  const previous = await openBudget(tx, budget, current.start);
  if (previous === null) return now;
  let month = periodOf(previous);
  while (month.end <= current.start) {
    month = periodOf(month.end);
    for (const service of await listServicesToReserve(tx, project, month.start)) {
      await reserveMonth(tx, actor, project, { service, month, at: now });
    }
  }
  return month.start > now ? month.start : now;
}

async function reserveMonth(
  tx: Tx,
  actor: Actor,
  project: Project,
  { service, month, at }: { readonly service: Service; readonly month: Period; readonly at: Date },
): Promise<void> {
  const amountCents = monthlyCostCents(service);
  const chargeId = newId("ch");
  const reservationId = newId("rsv");
  const outcome = await reserveBudgets(tx, {
    reservationId,
    mode: project.mode,
    causeType: "charge",
    causeId: chargeId,
    amountMicros: usdMicrosFromCents(amountCents),
    budgets: [projectCap(project), providerCap(project, service.provider)],
    at: at < month.end ? at : month.start,
    recordedAt: at,
    isOwed: true,
  });
  invariant(outcome.outcome === "reserved", "what is owed is reserved in a budget that is open");
  await insertCharge(tx, {
    ...chargeOf(service, month),
    chargeId,
    reservationId,
    amountCents,
    occurredAt: at,
  });
  await recordCapAlerts(tx, actor, project, { alerts: outcome.alerts, at });
}

/** Returns the fields of a service's charge for a month. */
export function chargeOf(
  service: Pick<
    Service,
    | "tenantId"
    | "projectId"
    | "mode"
    | "serviceId"
    | "provider"
    | "service"
    | "plan"
    | "priceCents"
    | "agentId"
  >,
  month: Period,
) {
  const { tenantId, projectId, mode, serviceId, provider, agentId } = service;
  return {
    tenantId,
    projectId,
    mode,
    serviceId,
    provider,
    agentId,
    type: findMeteredPlan(service) === undefined ? ("subscription" as const) : ("usage" as const),
    description: describeCharge(service, month),
    currency: "usd" as const,
    status: "reserved" as const,
    billedBy: "vendor" as const,
    estimated: false,
    periodStart: month.start,
    periodEnd: month.end,
  };
}
