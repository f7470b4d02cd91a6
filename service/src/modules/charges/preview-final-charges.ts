import type { Tx } from "../../db/database.ts";
import type { Project } from "../projects/queries.ts";
import { findMeteredPlan, proratedCents, withPlanOf } from "./charge-amount.ts";
import { type Charge, chargedServiceRows, listUnpaidCharges } from "./queries.ts";

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
