import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { type ListedPage, readPage } from "../../db/pages.ts";
import { type FoundProject, getProjectRow, type Project, type ProjectKey } from "../projects/queries.ts";
import { findMeteredPlan, proratedCents, withPlanOf } from "./charge-amount.ts";
import {
  type Charge,
  type ChargeFilter,
  type ChargePosition,
  chargedServiceRows,
  findChargePosition,
  listChargeRows,
  listPaymentCharges,
  listUnpaidCharges,
  type PaymentCharge,
} from "./queries.ts";

export interface ListCharges {
  readonly key: ProjectKey;
  /** The last charge on the previous page, or undefined for the first page. */
  readonly afterChargeId: string | undefined;
  readonly limit: number;
  /** The start of the month of the charges. Undefined: all months. */
  readonly periodStart: Date | undefined;
  /** Undefined: all providers. */
  readonly provider: string | undefined;
}

/** Returns one page of the project's charges and payments, newest first. Throws `project_not_found`. */
export async function listCharges(
  app: Pick<App, "db">,
  { key, afterChargeId, limit, ...filter }: ListCharges,
): Promise<ListedPage<Charge | PaymentCharge>> {
  const project = await getProjectRow(app.db, key);
  const after = afterChargeId && (await findChargePosition(app.db, project, afterChargeId));
  if (afterChargeId !== undefined && !after) return { items: [], hasMore: false };
  return readPage(limit, (max) => listNewestCharges(app, project, { ...filter, limit: max, ...(after && { after }) }));
}

/** Returns the newest charges and payments. A payment has no provider. */
export async function listNewestCharges(
  { db }: Pick<App, "db">,
  project: FoundProject,
  { provider, ...filter }: ChargeFilter & Partial<Pick<ListCharges, "provider">>,
): Promise<readonly (Charge | PaymentCharge)[]> {
  const [charges, payments] = await Promise.all([
    listChargeRows(db, project, { ...filter, provider }),
    provider === undefined ? listPaymentCharges(db, project, filter) : [],
  ]);
  return [...charges, ...payments].toSorted(byNewest).slice(0, filter.limit);
}

function byNewest(one: Charge | PaymentCharge, other: Charge | PaymentCharge): number {
  const [first, second] = [positionOf(one), positionOf(other)];
  const difference = second.occurredAt.getTime() - first.occurredAt.getTime();
  if (difference !== 0) return difference;
  return first.id < second.id ? 1 : -1;
}

function positionOf(charge: Charge | PaymentCharge): ChargePosition {
  return "chargeId" in charge
    ? { occurredAt: charge.occurredAt, id: charge.chargeId }
    : { occurredAt: charge.createdAt, id: charge.paymentId };
}

/**
 * Returns the reserved charges as they would be billed if their services were removed at this time, and those that Purser
 * bills and that are not paid yet. The amount of metered use is an estimate. A service without a resource costs nothing.
 */
export async function previewFinalCharges(tx: Tx, project: Project, removedAt: Date): Promise<Charge[]> {
  const final: Charge[] = [];
  for (const charge of await listUnpaidCharges(tx, project)) {
    if (charge.status !== "reserved") {
      final.push(charge);
      continue;
    }
    const service = withPlanOf(await chargedServiceRows.get(tx, charge), charge);
    const { periodStart: start, periodEnd: monthEnd } = charge;
    if (service.providerResourceId === null || start >= removedAt) continue;
    const estimated = charge.type === "usage" || findMeteredPlan(service) !== undefined;
    // A month that has ended, or ended with the removal of the service, is billed as it is.
    if (monthEnd <= removedAt) {
      final.push({ ...charge, estimated });
      continue;
    }
    const amountCents = proratedCents(service, charge.amountCents, {
      start,
      end: removedAt,
      monthEnd,
      isMetered: estimated,
    });
    final.push({ ...charge, amountCents, estimated, periodEnd: removedAt });
  }
  return final;
}
