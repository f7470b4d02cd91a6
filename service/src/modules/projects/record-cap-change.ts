import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { BudgetAlert } from "../../budgets/budget.ts";
import type { BudgetRefusal } from "../../budgets/reserve-budgets.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import { formatUsdMicros, type UsdMicros } from "../../foundation/money/usd-micros.ts";
import { periodOf } from "./usage.ts";

/** The project whose cap an event is about. The event's sequence number is counted with the budget. */
interface CapOwner {
  readonly projectId: string;
}

/** Writes the audit entry and the event for each percentage of the project's cap that was reached. */
export async function recordCapAlerts(
  tx: Tx,
  actor: Actor,
  { projectId }: CapOwner,
  { alerts, at }: { readonly alerts: readonly BudgetAlert[]; readonly at: Date },
): Promise<void> {
  for (const alert of alerts) {
    const { start, end } = periodOf(alert.periodStart);
    const facts = {
      project_id: projectId,
      threshold_percent: alert.percent,
      monthly_cap: formatUsdMicros(alert.limitMicros),
      spent: formatUsdMicros(alert.spentMicros),
      reserved: formatUsdMicros(alert.heldMicros),
      currency: "usd",
      period_start: start.toISOString(),
      period_end: end.toISOString(),
    };
    const action = "project.cap_threshold_reached";
    const subject = { type: "project_cap", id: projectId };
    const entry = { action, subject, facts, occurredAt: at, sequence: alert.sequence };
    await recordEntryAndEvent(tx, actor, entry, () => facts);
  }
}

/**
 * Writes the audit entry for a spending that a cap prevented, and the event unless one was written in the last minute.
 */
export async function recordCapBlocked(
  tx: Tx,
  actor: Actor,
  { projectId }: CapOwner,
  {
    refusal: { budget, limitMicros, usedMicros, resetsAt, alertSequence: sequence },
    amountMicros,
    cause,
    at,
  }: {
    readonly refusal: BudgetRefusal;
    readonly amountMicros: UsdMicros;
    /** The object that would have been paid for, for example a service. */
    readonly cause: { readonly type: string; readonly id: string };
    readonly at: Date;
  },
): Promise<void> {
  const facts = {
    project_id: projectId,
    rule_id: budget.subjectType,
    provider: budget.name === "" ? null : budget.name,
    cause: { ...cause },
    amount: formatUsdMicros(amountMicros),
    limit: formatUsdMicros(limitMicros),
    used: formatUsdMicros(usedMicros),
    currency: "usd",
    resets_at: resetsAt.toISOString(),
  };
  const action = "project.cap_exceeded_blocked";
  const entry = { action, subject: { type: "project_cap", id: projectId }, facts, occurredAt: at };
  if (sequence === null) await appendAuditEntry(tx, actor, entry);
  else await recordEntryAndEvent(tx, actor, { ...entry, sequence }, () => facts);
}
