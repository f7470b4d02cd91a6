import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { type ListedPage, readPage } from "../../db/pages.ts";
import { formatTokenAmount, formatUsdCents } from "../../foundation/money.ts";
import { BILLERS, type PaymentStatus } from "../../foundation/vocabulary.ts";
import { DecimalOut, Flag, NamedObject, Nullable, OneOf, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { type FoundProject, getProjectEvenDeleted, type Project, type ProjectKey } from "../projects/queries.ts";
import { periodOf } from "../projects/usage.ts";
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

export const ChargeResource = NamedObject("Charge", {
  charge_id: Type.String(),
  service_id: Nullable(
    Type.String(),
    "The id of the service that the charge is for. Null if the charge is not for a service.",
  ),
  provider: Nullable(Type.String(), "The provider of the service. Null for a payment, and for a refund."),
  type: Type.Enum(["subscription", "usage", "one_time", "refund", "adjustment"]),
  description: Type.String(),
  amount: {
    ...DecimalOut,
    description: "The amount of the charge in US dollars. Negative for a refund.",
  },
  currency: Type.Enum(["usd"]),
  status: OneOf(
    ["reserved", "pending", "succeeded", "failed", "released", "refunded", "disputed"],
    "Status of the charge. `reserved`: the month has not ended yet, or the provider has not reported the use yet; for a payment, the amount is held. `succeeded`: the amount is final. `released`: the service could not be added, or the payment was voided, was canceled or has expired. `pending`: the amount is final, and is or will be on an invoice that is not paid yet. `failed`: the invoice could not be paid; it is paid again when another payment method is attached. `refunded`: for a payment, all of it was refunded.",
  ),
  agent_id: Nullable(Type.String(), "The UUID of the agent that caused the charge. Null if the developer caused it."),
  payment_id: Nullable(
    Type.String(),
    "The id of the payment for the charge. Null until the charge is paid. For a charge that Purser bills, the id of its invoice at the payment processor; for a refund, of the refunded charge there. For an agent's payment, equal to `charge_id`.",
  ),
  billed_by: Nullable(
    Type.Enum([...BILLERS]),
    "Who bills the amount. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method. Null for a payment, which a wallet has paid.",
  ),
  estimated: Flag(
    "Whether `amount` is an estimate, because the provider did not report the metered use. Always false while the charge is `reserved`.",
  ),
  period_start: {
    ...Timestamp,
    description:
      "Start of the calendar month (UTC) of the charge, or the time at which the plan was changed to that of the charge.",
  },
  period_end: {
    ...Timestamp,
    description: "End of the month, or the time at which the service was removed or its plan changed.",
  },
  occurred_at: Timestamp,
});

type ChargeStatus = Static<typeof ChargeResource>["status"];

/** The status of a payment's charge. A payment with another status never reserved anything. */
const PAYMENT_CHARGE_STATUS: Partial<Record<PaymentStatus, ChargeStatus>> = {
  authorized: "reserved",
  confirmed: "succeeded",
  captured: "succeeded",
  partially_refunded: "succeeded",
  refunded: "refunded",
};

/** Returns the API representation of a charge or of a payment that counts in the project. */
export function presentCharge(charge: Charge | PaymentCharge): Static<typeof ChargeResource> {
  if (!("chargeId" in charge)) return presentPaymentCharge(charge);
  return toWire(ChargeResource, charge, { amount: formatUsdCents(charge.amountCents) });
}

function presentPaymentCharge(payment: PaymentCharge): Static<typeof ChargeResource> {
  const { paymentId, asset, baseUnits, paidBaseUnits, reservedAt, createdAt } = payment;
  const { start, end } = periodOf(reservedAt);
  return {
    charge_id: paymentId,
    service_id: null,
    provider: null,
    type: "one_time",
    description: `Payment to ${payment.payeeAddress}`,
    amount: formatTokenAmount({ asset, baseUnits: paidBaseUnits ?? baseUnits }),
    currency: "usd",
    status: PAYMENT_CHARGE_STATUS[payment.status] ?? "released",
    agent_id: payment.agentId,
    payment_id: paymentId,
    billed_by: null,
    estimated: false,
    period_start: start.toISOString(),
    period_end: end.toISOString(),
    occurred_at: createdAt.toISOString(),
  };
}

interface ListCharges {
  readonly key: ProjectKey;
  /** The last charge on the previous page, or undefined for the first page. */
  readonly afterChargeId: string | undefined;
  readonly limit: number;
  /** The start of the month of the charges. Undefined: all months. */
  readonly periodStart: Date | undefined;
  /** Undefined: all providers. */
  readonly provider: string | undefined;
}

/** Returns one page of the charges and payments of the project, which can be deleted, newest first. Throws `project_not_found`. */
export async function listCharges(
  app: Pick<App, "db">,
  { key, afterChargeId, limit, ...filter }: ListCharges,
): Promise<ListedPage<Charge | PaymentCharge>> {
  const project = await getProjectEvenDeleted(app.db, key);
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
