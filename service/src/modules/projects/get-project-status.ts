import type { App } from "../../app.ts";
import type { LinkStatus } from "../../foundation/vocabulary.ts";
import { type Charge, listNewestCharges, listSpendingByProvider } from "./charges/queries.ts";
import {
  type BillingSummary,
  getProjectOverview,
  type LinkSummary,
  type ProjectKey,
  type ProjectOverview,
} from "./queries.ts";
import { forecastCents, percentUsed, periodOf, remainingCents, type Usage } from "./usage.ts";

const RECENT_CHARGES_MAX = 10;
const NEARLY_REACHED_PERCENT = 80;

export interface ProviderSpending {
  readonly provider: string;
  /** Null if the provider has no cap. */
  readonly capCents: bigint | null;
  readonly spentCents: bigint;
}

/** An action that a user has to take. */
export interface PendingAction {
  readonly type: "open_url" | "attach_payment_method" | "confirm_payment_method";
  readonly reason: string;
  /**
   * The link to complete, or null for a billing action. The link's URL is omitted, because only callers that can link
   * providers may see it.
   */
  readonly link: LinkSummary | null;
}

export interface ProjectStatus {
  readonly project: ProjectOverview;
  readonly usage: Usage;
  readonly remainingCents: bigint;
  readonly percentUsed: number;
  readonly forecastCents: bigint;
  /** The providers with charges this month, a cap or a service, sorted by ID. */
  readonly byProvider: readonly ProviderSpending[];
  /** Newest first. */
  readonly recentCharges: readonly Charge[];
  /** Billing actions precede link actions. */
  readonly pendingActions: readonly PendingAction[];
  readonly warnings: readonly ("cap_reached" | "cap_nearly_reached" | "forecast_over_cap")[];
}

/**
 * Returns the project's spending this month, its services, links and pending actions. The project's totals are
 * calculated from the amounts per provider, so the totals and the amounts always match.
 */
export async function getProjectStatus(
  app: Pick<App, "db" | "clock">,
  key: ProjectKey,
): Promise<ProjectStatus> {
  const now = app.clock.now();
  const period = periodOf(now);
  const project = await getProjectOverview(app.db, key, now);
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
    pendingActions: pendingActionsOf(project),
    warnings: warningsOf(capCents, figures),
  };
}

function sum(amounts: readonly (bigint | null)[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n);
}

function byProvider(
  { providerCaps, services }: Pick<ProjectOverview, "providerCaps" | "services">,
  spending: readonly { readonly provider: string; readonly spentCents: bigint | null }[],
): ProviderSpending[] {
  const spent = new Map(spending.map(({ provider, spentCents }) => [provider, spentCents ?? 0n]));
  const used = services.map(({ provider }) => provider);
  const providers = new Set([...spent.keys(), ...Object.keys(providerCaps), ...used]);
  return [...providers].sort().map((provider) => {
    const cap = providerCaps[provider];
    return {
      provider,
      capCents: cap === undefined ? null : BigInt(cap),
      spentCents: spent.get(provider) ?? 0n,
    };
  });
}

const LINK_REASONS: Partial<Record<LinkStatus, string>> = {
  pending_auth: "The provider link has not been completed.",
  expired: "The provider link expired before it was completed.",
};

const BILLING_ACTIONS: Partial<
  Record<BillingSummary["status"], Pick<PendingAction, "type" | "reason">>
> = {
  requires_payment_method: {
    type: "attach_payment_method",
    reason: "The project has no payment method.",
  },
  requires_action: {
    type: "confirm_payment_method",
    reason: "The owner must confirm the payment method.",
  },
  past_due: { type: "attach_payment_method", reason: "The last charge failed." },
};

function pendingActionsOf({
  links,
  billing,
}: Pick<ProjectOverview, "links" | "billing">): PendingAction[] {
  const billingAction = billing === null ? undefined : BILLING_ACTIONS[billing.status];
  const linkActions = links.flatMap((link): PendingAction[] => {
    const reason = LINK_REASONS[link.status];
    return reason === undefined ? [] : [{ type: "open_url", reason, link }];
  });
  return [
    ...(billingAction === undefined ? [] : [{ ...billingAction, link: null }]),
    ...linkActions,
  ];
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
