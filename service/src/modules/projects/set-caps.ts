import type { Actor } from "../../audit/append.ts";
import { setBudgetLimits } from "../../budgets/queries.ts";
import type { Tx } from "../../db/database.ts";
import { usdMicrosFromCents } from "../../foundation/money/usd-micros.ts";
import { projectCap, providerCap } from "./project-budgets.ts";
import type { Project } from "./queries.ts";
import { recordCapAlerts } from "./record-cap-change.ts";

/** Applies a project's changed caps to its budgets. The caller must have locked the project. */
export async function setCaps(
  tx: Tx,
  actor: Actor,
  { before, project, at }: { readonly before: Project; readonly project: Project; readonly at: Date },
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
