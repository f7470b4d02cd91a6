import type { App } from "../../app.ts";
import {
  type Charge,
  getProjectRow,
  listNewestCharges,
  listSpendingByProvider,
  type Project,
  type ProjectKey,
} from "./queries.ts";
import { forecastCents, percentUsed, periodOf, remainingCents, type Usage } from "./usage.ts";

const RECENT_CHARGES_MAX = 10;
const NEARLY_REACHED_PERCENT = 80;

export interface ProviderSpending {
  readonly provider: string;
  /** Null where the provider has no cap of its own. */
  readonly capCents: bigint | null;
  readonly spentCents: bigint;
}

export interface ProjectStatus {
  readonly project: Project;
  readonly usage: Usage;
  readonly remainingCents: bigint;
  readonly percentUsed: number;
  readonly forecastCents: bigint;
  /** By name: the providers that were paid this month, and those that have a cap. */
  readonly byProvider: readonly ProviderSpending[];
  /** Newest first. */
  readonly recentCharges: readonly Charge[];
  readonly warnings: readonly ("cap_reached" | "cap_nearly_reached" | "forecast_over_cap")[];
}

/** How a project stands against its cap this month. The sums are those of the providers, so that they always add up. */
export async function getProjectStatus(
  app: Pick<App, "db" | "clock">,
  key: ProjectKey,
): Promise<ProjectStatus> {
  const now = app.clock.now();
  const period = periodOf(now);
  const project = await getProjectRow(app.db, key);
  const [spending, recentCharges] = await Promise.all([
    listSpendingByProvider(app.db, project, period),
    listNewestCharges(app.db, project, RECENT_CHARGES_MAX),
  ]);
  const usage = {
    period,
    spentCents: sum(spending.map(({ spentCents }) => spentCents)),
    reservedCents: sum(spending.map(({ reservedCents }) => reservedCents)),
  };
  const capCents = project.monthlyCapCents;
  const figures = {
    remainingCents: remainingCents(capCents, usage),
    percentUsed: percentUsed(capCents, usage),
    forecastCents: forecastCents(usage, now),
  };
  return {
    project,
    usage,
    ...figures,
    byProvider: byProvider(project, spending),
    recentCharges,
    warnings: warningsOf(capCents, figures),
  };
}

function sum(amounts: readonly (bigint | null)[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n);
}

function byProvider(
  { providerCaps }: Project,
  spending: readonly { readonly provider: string; readonly spentCents: bigint | null }[],
): ProviderSpending[] {
  const spent = new Map(spending.map(({ provider, spentCents }) => [provider, spentCents ?? 0n]));
  const providers = new Set([...spent.keys(), ...Object.keys(providerCaps)]);
  return [...providers].sort().map((provider) => {
    const cap = providerCaps[provider];
    return {
      provider,
      capCents: cap === undefined ? null : BigInt(cap),
      spentCents: spent.get(provider) ?? 0n,
    };
  });
}

function warningsOf(
  capCents: bigint,
  figures: Pick<ProjectStatus, "percentUsed" | "forecastCents">,
): ProjectStatus["warnings"] {
  if (figures.percentUsed >= 100) return ["cap_reached"];
  const nearly = figures.percentUsed >= NEARLY_REACHED_PERCENT;
  return [
    ...(nearly ? (["cap_nearly_reached"] as const) : []),
    ...(figures.forecastCents > capCents ? (["forecast_over_cap"] as const) : []),
  ];
}
