import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { openBudget } from "../../budgets/open-budget.ts";
import { budgetsToOpen } from "../../budgets/queries.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { ProjectId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { formatUsdCents, usdMicrosFromCents } from "../../foundation/money.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { PROJECT_CAP, projectCap } from "../projects/caps.ts";
import { lockProject, type Project, unscopedKey } from "../projects/queries.ts";
import { periodOf } from "../projects/usage.ts";
import { monthlyCostCents } from "./charge-amount.ts";
import { type ChargedService, getScheduledChange, listServicesToReserve } from "./queries.ts";
import { type ReserveCharge, reserveCharge } from "./reserve-charge.ts";

/** Returns the service with another plan, at the price for which the change was requested. */
export function withChangedPlan(
  service: ChargedService,
  {
    plan,
    priceCents,
    preauthorizationCents,
    billedBy,
  }: Pick<ChargedService, "plan" | "priceCents" | "preauthorizationCents" | "billedBy">,
): ChargedService {
  return { ...service, plan, priceCents, preauthorizationCents, billedBy };
}

/** Returns the service with the plan that it has at a time: the pending one if it has changed by then. */
export async function withPlanAt(tx: Tx, service: ChargedService, at: Date): Promise<ChargedService> {
  const { pendingPlan, pendingPlanAt } = service;
  if (pendingPlan === null || pendingPlanAt === null || pendingPlanAt > at) return service;
  return withChangedPlan(service, await getScheduledChange(tx, service));
}

/**
 * Opens the project's budget for the current month, and for each month since the last one that was opened. In each month,
 * first reserves what the services in place cost, even above the cap. What is new is reserved later, so it cannot use the
 * amount that is left for what is owed. Does nothing if the month is open. The caller must have locked the project.
 *
 * @returns the time at which to reserve what is new: now, or the start of the open month if another process whose clock
 * is slightly ahead has already opened the next month
 */
export async function openMonths(tx: Tx, { clock }: Pick<App, "clock">, actor: Actor, project: Project): Promise<Date> {
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
      const planned = await withPlanAt(tx, service, month.start);
      await reserveMonth(tx, actor, project, { service: planned, month, recordedAt: now });
    }
  }
  return month.start > now ? month.start : now;
}

/** Reserves what the service costs in a month, even above the cap. Does nothing if it costs nothing. */
export async function reserveMonth(
  tx: Tx,
  actor: Actor,
  project: Project,
  command: Pick<ReserveCharge, "month" | "recordedAt"> & { readonly service: ChargedService },
): Promise<void> {
  const { service, month, recordedAt: occurredAt } = command;
  const amountCents = monthlyCostCents(service);
  if (amountCents === 0n) return;
  const id = await reserveCharge(tx, actor, project, { ...command, amountCents, isOwed: true });
  invariant(typeof id === "string", "what is owed is not refused");
  await appendAuditEntry(tx, actor, {
    action: "charge.reserved",
    subject: { type: "charge", id },
    facts: {
      project_id: project.projectId,
      service_id: service.serviceId,
      amount: formatUsdCents(amountCents),
      period_start: month.start.toISOString(),
    },
    occurredAt,
  });
}

/**
 * Opens the current month for every project that has charges, and reserves what its services cost. After an outage, also
 * the months that were missed. Any number of processes can run this at the same time. One project's error does not
 * affect the others.
 */
export async function openNewMonths(app: Pick<App, "db" | "clock">): Promise<void> {
  const periodStart = periodOf(app.clock.now()).start;
  const budgets = budgetsToOpen(app.db, PROJECT_CAP, periodStart);
  await tryEach(budgets, ({ tenantId, subjectId, mode }) =>
    withTransaction(app.db, tenantId, async (tx) => {
      const projectId = subjectId as ProjectId;
      const project = await lockProject(tx, unscopedKey({ tenantId, mode, projectId }));
      await openMonths(tx, app, systemActor({ tenantId, mode }), project);
    }),
  );
}
