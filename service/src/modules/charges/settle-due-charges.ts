import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { formatUsdCents } from "../../foundation/money.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { ServiceStatus } from "../../foundation/vocabulary.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import type { CatalogPlan } from "../catalog/catalog.ts";
import { findPriceChange } from "../catalog/plans.ts";
import { openProviderAccess } from "../links/open-provider-access.ts";
import { periodOf } from "../projects/usage.ts";
import { findMeteredPlan, meteredCostCents, monthlyCostCents, proratedCents, withPlanOf } from "./charge-amount.ts";
import {
  type Charge,
  type ChargedService,
  chargedServiceRows,
  chargeRows,
  type DueCharge,
  dueCharges,
  lockReservedCharge,
} from "./queries.ts";
import { settleCharge } from "./settle-charge.ts";

const HOUR_MS = 3_600_000;
/** Vendors report metered use with a delay. Neon updates it about every 15 minutes. */
const METERING_DELAY_MS = HOUR_MS;
/** How long the vendor's report is awaited. After that, the reserved amount is settled as an estimate. */
const METERING_MAX_MS = 72 * HOUR_MS;
/** If the addition fails, its charges are released, even those of months that have ended. */
const IS_ADDED: ReadonlySet<ServiceStatus> = new Set(["pending", "requires_action", "provisioning"]);

type SettleApp = Pick<App, "db" | "clock" | "log" | "keyEncryptionKey" | "vaults" | "providers">;

/**
 * Settles the reserved charges whose month has ended or whose service was removed: a fixed price as it is, and metered
 * use as the vendor reports it. If the vendor does not report it, the reserved amount is settled as an estimate. Any
 * number of processes can run this at the same time. One charge's error does not affect the others.
 */
export async function settleDueCharges(app: SettleApp): Promise<void> {
  const at = app.clock.now();
  // Metered use that is not reported yet would be found again after every hundred charges.
  const usageUntil = new Date(at.getTime() - METERING_DELAY_MS);
  const providers = [...app.providers.keys()];
  // Another process may be able to read the use. No process may be, once the configuration lacks the provider.
  const otherUntil = new Date(at.getTime() - METERING_MAX_MS);
  const charges = dueCharges(app.db, { at, usageUntil, providers, otherUntil });
  await tryEach(charges, (due) => settleDueCharge(app, due));
}

async function settleDueCharge(app: SettleApp, due: DueCharge): Promise<void> {
  const charge = await chargeRows.get(app.db, due);
  const current = await chargedServiceRows.get(app.db, due);
  if (IS_ADDED.has(current.status)) return;
  // It is not known yet whether the provider has the plan of this charge in place.
  if (current.status === "updating" && charge.plan !== current.plan) return;
  const service = withPlanOf(current, charge);
  const cost = await costOf(app, service, charge);
  if (cost === undefined) return;
  await withTransaction(app.db, due.tenantId, async (tx) => {
    const reserved = await lockReservedCharge(tx, due);
    if (reserved === undefined) return;
    await settleCharge(tx, app, systemActor(reserved), { charge: reserved, ...cost });
  });
  if (charge.billedBy === "purser") warnOfPriceChange(app, service);
}

/** The operator pays the difference, because the service costs the price that was agreed. */
function warnOfPriceChange({ log }: Pick<App, "log">, service: ChargedService): void {
  const change = findPriceChange(service);
  if (change === undefined) return;
  const { serviceId, service: name, plan } = service;
  const agreed = formatUsdCents(change.agreedCents);
  const current = formatUsdCents(change.currentCents);
  log.warn(
    { serviceId, service: name, plan, agreed, current },
    "Purser bills a service at another price than the provider's current one",
  );
}

interface Cost {
  readonly amountCents: bigint;
  readonly estimated: boolean;
}

/** Returns the charge's amount, or undefined if the vendor's report must still be awaited. */
async function costOf(app: SettleApp, service: ChargedService, charge: Charge): Promise<Cost | undefined> {
  const { periodStart: start, periodEnd: end } = charge;
  const plan = findMeteredPlan(service);
  if (plan === undefined) return costWithoutMetering(service, charge);
  const waitedMs = app.clock.now().getTime() - end.getTime();
  if (waitedMs < METERING_DELAY_MS) return undefined;
  try {
    const amountCents = await readMeteredCost(app, service, { plan, start, end });
    if (amountCents !== undefined) return { amountCents, estimated: false };
  } catch (error) {
    const isExpected = error instanceof VendorError || error instanceof AppError;
    if (!isExpected || (isTemporary(error) && waitedMs < METERING_MAX_MS)) throw error;
  }
  return estimateOf(service, charge);
}

function costWithoutMetering(service: ChargedService, charge: Charge): Cost {
  // A metered plan that the catalog no longer offers has no prices.
  if (charge.type === "usage") return estimateOf(service, charge);
  return { amountCents: costOfPeriod(service, charge, false), estimated: false };
}

/** Returns the reserved amount or, if the service was removed or changed its plan during the month, its part. */
function estimateOf(service: ChargedService, charge: Charge): Cost {
  const { start, end } = periodOf(charge.periodStart);
  // After a change of plan, only the difference is reserved.
  if (charge.periodStart > start) {
    const amountCents = costOfPeriod(
      { ...service, createdAt: charge.periodStart },
      { ...charge, periodStart: start, amountCents: monthlyCostCents(service) },
      true,
    );
    return { amountCents, estimated: true };
  }
  const isWhole = charge.periodEnd.getTime() === end.getTime();
  const amountCents = isWhole ? charge.amountCents : costOfPeriod(service, charge, true);
  return { amountCents, estimated: true };
}

function costOfPeriod(
  service: ChargedService,
  { periodStart, periodEnd, amountCents }: Pick<Charge, "periodStart" | "periodEnd" | "amountCents">,
  isMetered: boolean,
): bigint {
  const monthEnd = periodOf(periodStart).end;
  return proratedCents(service, amountCents, {
    ...{ start: periodStart, end: periodEnd, monthEnd, isMetered },
  });
}

const TEMPORARY: ReadonlySet<VendorFailure> = new Set(["rate_limited", "unavailable", "unknown"]);

/** Returns false if the vendor will not report the use later either, for example because the link was revoked. */
function isTemporary(error: VendorError | AppError): boolean {
  return error instanceof AppError ? error.status >= 500 : TEMPORARY.has(error.failure);
}

async function readMeteredCost(
  app: SettleApp,
  { tenantId, linkId, provider, providerResourceId }: ChargedService,
  { plan, start, end }: { readonly plan: CatalogPlan; readonly start: Date; readonly end: Date },
): Promise<bigint | undefined> {
  const readUsage = app.providers.get(provider)?.readUsage;
  if (readUsage === undefined || providerResourceId === null) return undefined;
  const access = await openProviderAccess(app, { tenantId, linkId });
  const usage = await readUsage(access, { resourceId: providerResourceId, start, end });
  return usage === undefined ? undefined : meteredCostCents(plan, usage);
}
