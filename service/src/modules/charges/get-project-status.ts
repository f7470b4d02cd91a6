import type { App } from "../../app.ts";
import { type UsdMicros, usdMicros, usdMicrosFromCents } from "../../foundation/money.ts";
import type { LinkStatus } from "../../foundation/vocabulary.ts";
import {
  type BillingSummary,
  getProjectOverview,
  type LinkSummary,
  type ProjectKey,
  type ProjectOverview,
} from "../projects/queries.ts";
import { percentUsed, remainingMicros, type Usage, usedMicros } from "../projects/usage.ts";
import { listNewestCharges } from "./charges.ts";
import { type Charge, listSpendingByProvider, type PaymentCharge } from "./queries.ts";

const RECENT_CHARGES_MAX = 10;
const NEARLY_REACHED_PERCENT = 80;

export interface ProviderSpending {
  readonly provider: string;
  /** Null if the provider has no cap. */
  readonly capCents: bigint | null;
  readonly spentMicros: UsdMicros;
  readonly reservedMicros: UsdMicros;
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
  readonly remainingMicros: UsdMicros;
  readonly percentUsed: number;
  /** The expected total at the end of the month. */
  readonly forecastMicros: UsdMicros;
  /** The providers with charges this month, a cap or a service, sorted by ID. */
  readonly byProvider: readonly ProviderSpending[];
  /** Newest first. */
  readonly recentCharges: readonly (Charge | PaymentCharge)[];
  /** Billing actions precede link actions. */
  readonly pendingActions: readonly PendingAction[];
  readonly warnings: readonly ("cap_reached" | "cap_nearly_reached" | "forecast_over_cap")[];
}

/** Returns the project's spending this month, its services, links and pending actions. */
export async function getProjectStatus(app: Pick<App, "db" | "clock">, key: ProjectKey): Promise<ProjectStatus> {
  const project = await getProjectOverview(app.db, key, app.clock.now());
  const { usage } = project;
  const [spending, recentCharges] = await Promise.all([
    listSpendingByProvider(app.db, project, usage.period.start),
    listNewestCharges(app, project, { limit: RECENT_CHARGES_MAX }),
  ]);
  const capMicros = usdMicrosFromCents(project.monthlyCapCents);
  const figures = {
    remainingMicros: remainingMicros(capMicros, usage),
    percentUsed: percentUsed(capMicros, usage),
    forecastMicros: usedMicros(usage),
  };
  return {
    project,
    usage,
    ...figures,
    byProvider: byProvider(project, spending),
    recentCharges,
    pendingActions: pendingActionsOf(project),
    warnings: warningsOf(capMicros, figures),
  };
}

function byProvider(
  { providerCaps, services }: Pick<ProjectOverview, "providerCaps" | "services">,
  spending: Awaited<ReturnType<typeof listSpendingByProvider>>,
): ProviderSpending[] {
  const spent = new Map(spending.map((amounts) => [amounts.provider, amounts]));
  const used = services.map(({ provider }) => provider);
  const providers = new Set([...spent.keys(), ...Object.keys(providerCaps), ...used]);
  return [...providers].sort().map((provider) => {
    const cap = providerCaps[provider];
    return {
      provider,
      capCents: cap === undefined ? null : BigInt(cap),
      spentMicros: spent.get(provider)?.spentMicros ?? usdMicros(0n),
      reservedMicros: spent.get(provider)?.heldMicros ?? usdMicros(0n),
    };
  });
}

const LINK_REASONS: Partial<Record<LinkStatus, string>> = {
  pending_auth: "The provider link has not been completed.",
  expired: "The provider link expired before it was completed.",
};

const BILLING_ACTIONS: Partial<Record<BillingSummary["status"], Pick<PendingAction, "type" | "reason">>> = {
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

function pendingActionsOf({ links, billing }: Pick<ProjectOverview, "links" | "billing">): PendingAction[] {
  const billingAction = billing === null ? undefined : BILLING_ACTIONS[billing.status];
  const linkActions = links.flatMap((link): PendingAction[] => {
    const reason = LINK_REASONS[link.status];
    return reason === undefined ? [] : [{ type: "open_url", reason, link }];
  });
  return [...(billingAction === undefined ? [] : [{ ...billingAction, link: null }]), ...linkActions];
}

function warningsOf(
  capMicros: UsdMicros,
  { percentUsed, forecastMicros }: Pick<ProjectStatus, "percentUsed" | "forecastMicros">,
): ProjectStatus["warnings"] {
  if (forecastMicros > capMicros) return ["cap_reached", "forecast_over_cap"];
  if (percentUsed >= 100) return ["cap_reached"];
  return percentUsed >= NEARLY_REACHED_PERCENT ? ["cap_nearly_reached"] : [];
}
