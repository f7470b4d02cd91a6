import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Budget, BudgetAlert, NewBudget } from "../../budgets/budget.ts";
import { setBudgetLimits } from "../../budgets/queries.ts";
import type { BudgetRefusal } from "../../budgets/reserve-budgets.ts";
import type { Tx } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import { rowsWhere } from "../../db/where.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, type ProjectId } from "../../foundation/ids.ts";
import { formatUsdMicros, type UsdMicros, usdMicros, usdMicrosFromCents } from "../../foundation/money.ts";
import { enqueueEmail } from "../../outbox/enqueue.ts";
import { getDeveloper } from "../developers/queries.ts";
import { periodOf } from "./usage.ts";

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

/** The project whose cap an event is about. The event's sequence number is counted with the budget. */
interface CapOwner {
  readonly projectId: ProjectId;
}

/** The developer gets an email from this percentage on. */
const EMAILED_PERCENT_MIN = 80;

/**
 * Writes the audit entry and the event for each percentage of the project's cap that was reached. In live mode, enqueues an
 * email about the highest.
 */
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
    const entry = { subject, facts, occurredAt: at, sequence: alert.sequence };
    await recordEntryAndEvent(tx, actor, { action, ...entry }, () => facts);
  }
  const highest = alerts.at(-1);
  if (actor.mode !== "live" || highest === undefined || highest.percent < EMAILED_PERCENT_MIN) return;
  // The use of a month that is over is settled later, and nothing is refused because of it.
  const { end } = periodOf(highest.periodStart);
  if (at < end) await enqueueCapEmail(tx, actor, { projectId, alert: highest, at });
}

async function enqueueCapEmail(
  tx: Tx,
  { tenantId, mode }: Actor,
  { projectId, alert, at }: CapOwner & { readonly alert: BudgetAlert; readonly at: Date },
): Promise<void> {
  const { email: to } = await getDeveloper(tx, tenantId);
  const { name, deletedAt } = await rowsWhere(tx, "projects", { tenantId, projectId }).executeTakeFirstOrThrow();
  if (deletedAt !== null) return;
  const used = usdMicros(alert.spentMicros + alert.heldMicros);
  await enqueueEmail(
    tx,
    { tenantId, mode },
    {
      ...({ messageId: newId("mail"), template: "cap_reached", to, sealedToken: null, createdAt: at } as const),
      facts: {
        ...{ project_id: projectId, project: name, mode, percent: String(alert.percent) },
        ...{ used: formatUsdMicros(used), cap: formatUsdMicros(alert.limitMicros) },
        resets_at: periodOf(alert.periodStart).end.toISOString().slice(0, 10),
      },
    },
  );
}

interface RecordCapBlocked {
  readonly refusal: BudgetRefusal;
  readonly amountMicros: UsdMicros;
  /** The object that would have been paid for, for example a service. */
  readonly cause: { readonly type: string; readonly id: string };
  readonly at: Date;
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
  }: RecordCapBlocked,
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
  const entry = { subject: { type: "project_cap", id: projectId }, facts, occurredAt: at };
  if (sequence === null) await appendAuditEntry(tx, actor, { action, ...entry });
  else await recordEntryAndEvent(tx, actor, { action, ...entry, sequence }, () => facts);
}

/** Applies a project's changed caps to its budgets. The caller must have locked the project. */
export async function setCaps(
  tx: Tx,
  actor: Actor,
  { before, project, at }: { readonly before: Row<"projects">; readonly project: Row<"projects">; readonly at: Date },
): Promise<void> {
  const { monthlyCapCents, providerCaps } = project;
  const caps = new Set([...Object.keys(before.providerCaps), ...Object.keys(providerCaps)]);
  const providers = [...caps].filter((name) => before.providerCaps[name] !== providerCaps[name]);
  const limits = [
    ...(before.monthlyCapCents === monthlyCapCents
      ? []
      : [{ ...projectCap(project), limitMicros: usdMicrosFromCents(monthlyCapCents) }]),
    ...providers.map((provider) => providerCap(project, provider)),
  ];
  if (limits.length === 0) return;
  await recordCapAlerts(tx, actor, project, { alerts: await setBudgetLimits(tx, limits, at), at });
}

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
