import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns } from "../../db/pages.ts";
import type { Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { exists, rowsWhere, sameColumns, selectWhere } from "../../db/where.ts";
import type { PaymentId, ServiceId, TenantId } from "../../foundation/ids.ts";
import type { UsdMicros } from "../../foundation/money.ts";
import { PROVIDER_CAP } from "../projects/caps.ts";
import type { FoundProject } from "../projects/queries.ts";
import { periodOf } from "../projects/usage.ts";

export type Charge = Selectable<Schema["charges"]>;

export type ChargedService = Selectable<Schema["services"]>;

/** The services that charges are for. */
export const chargedServiceRows = tableOf("services", ["tenantId", "serviceId"]);

type ServiceKey = Pick<ChargedService, "tenantId" | "serviceId">;

export const chargeRows = tableOf("charges", ["tenantId", "chargeId"]);

type ChargeKey = Pick<Charge, "tenantId" | "chargeId">;

/** Returns the charge and locks it until the transaction ends, if it is still reserved. */
export async function lockReservedCharge(tx: Tx, { tenantId, chargeId }: ChargeKey): Promise<Charge | undefined> {
  return rowsWhere(tx, "charges", { tenantId, chargeId, status: "reserved" }).forUpdate().executeTakeFirst();
}

/**
 * Returns the service's reserved charges that end after a time, and locks them until the transaction ends. Undefined: all
 * reserved charges.
 */
export async function lockReservedCharges(
  tx: Tx,
  { tenantId, serviceId }: ServiceKey,
  endingAfter?: Date,
): Promise<Charge[]> {
  return rowsWhere(tx, "charges", { tenantId, serviceId, status: "reserved" })
    .$if(endingAfter !== undefined, (query) => query.where("periodEnd", ">", endingAfter ?? new Date(0)))
    .orderBy("chargeId")
    .forUpdate()
    .execute();
}

/**
 * Returns the charges of the project's services that are reserved, or that Purser bills and that are not paid. Oldest
 * first.
 */
export async function listUnpaidCharges(
  tx: Tx,
  { tenantId, projectId }: Pick<Charge, "tenantId" | "projectId">,
): Promise<(Charge & ServiceKey)[]> {
  return rowsWhere(tx, "charges", { tenantId, projectId })
    .where(({ eb, or, and }) =>
      or([
        eb("status", "=", "reserved"),
        and([eb("status", "in", ["pending", "failed"]), eb("billedBy", "=", "purser")]),
      ]),
    )
    .where("serviceId", "is not", null)
    .$narrowType<{ serviceId: ServiceId }>()
    .orderBy("chargeId")
    .execute();
}

/** Returns whether the service has a reserved charge. */
export async function hasReservedCharge(tx: Tx, { tenantId, serviceId }: ServiceKey): Promise<boolean> {
  return exists(rowsWhere(tx, "charges", { tenantId, serviceId, status: "reserved" }));
}

/**
 * Returns the project's services that are in place and were reserved in an earlier month, but not in the month that
 * starts at `periodStart`, and those without a charge whose plan has changed by then. Oldest first.
 */
export async function listServicesToReserve(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  periodStart: Date,
): Promise<ChargedService[]> {
  return rowsWhere(tx, "services", { tenantId, projectId })
    .where("status", "not in", ["removed", "failed"])
    .where(
      sql<boolean>`coalesce((select max(period_start) from charges where charges.tenant_id = ${tenantId}
        and charges.service_id = services.service_id and type in ('subscription', 'usage') and status <> 'released'
      ) < ${periodStart}, pending_plan_at <= ${periodStart})`,
    )
    .orderBy("createdAt")
    .orderBy("serviceId")
    .execute();
}

/** Returns the change that has scheduled the service's pending plan. */
export async function getScheduledChange(
  tx: Tx,
  { tenantId, serviceId, pendingPlan }: Pick<ChargedService, "tenantId" | "serviceId" | "pendingPlan">,
): Promise<Selectable<Schema["servicePlanChanges"]>> {
  return tx
    .selectFrom("servicePlanChanges as change")
    .innerJoin("operations", sameColumns("operations", "change", ["tenantId", "operationId"]))
    .selectAll("change")
    .where("change.tenantId", "=", tenantId)
    .where("change.serviceId", "=", serviceId)
    .where("change.plan", "=", pendingPlan ?? "")
    .where("change.timing", "=", "scheduled")
    .where("operations.status", "=", "succeeded")
    .orderBy("change.createdAt", "desc")
    .orderBy("change.operationId", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** Identifies a charge in the order in which charges become due. */
export interface DueCharge {
  readonly tenantId: TenantId;
  readonly chargeId: string;
  readonly serviceId: ServiceId;
  readonly periodEnd: Date;
}

interface DueQuery {
  readonly at: Date;
  /** Until when the period of a charge for use must have ended. */
  readonly usageUntil: Date;
  readonly providers: readonly string[];
  /** Until when a charge must have been due if its provider is none of these. */
  readonly otherUntil: Date;
}

/** Yields the reserved charges of all tenants' services whose period has ended, the longest due first. */
export function dueCharges(db: Db, { at, usageUntil, providers, otherUntil }: DueQuery): AsyncGenerator<DueCharge> {
  return inTurns<DueCharge>(db, ["periodEnd", "tenantId", "chargeId"], () =>
    selectWhere(db, "charges", { status: "reserved" })
      .select(["tenantId", "chargeId", "serviceId", "periodEnd"])
      .where("serviceId", "is not", null)
      .where("periodEnd", "<=", at)
      .where(sql<boolean>`(type <> 'usage' or period_end <= ${usageUntil})`)
      .where(sql<boolean>`(provider = any(${providers}::text[]) or period_end <= ${otherUntil})`)
      .$narrowType<{ serviceId: ServiceId }>(),
  );
}

/** Returns each provider's spent and reserved amounts in the month that starts at `periodStart`. */
export async function listSpendingByProvider(
  db: Db,
  { tenantId, projectId }: FoundProject,
  periodStart: Date,
): Promise<{ readonly provider: string; readonly spentMicros: UsdMicros; readonly heldMicros: UsdMicros }[]> {
  return selectWhere(db, "budgets", { tenantId, subjectId: projectId, subjectType: PROVIDER_CAP })
    .innerJoin("budgetPeriods as part", (join) =>
      join
        .onRef("part.tenantId", "=", "budgets.tenantId")
        .onRef("part.budgetId", "=", "budgets.budgetId")
        .on("part.periodStart", "=", periodStart),
    )
    .select(["budgets.name as provider", "part.spentMicros", "part.heldMicros"])
    .execute();
}

/** Where a charge or a payment is in the list of the project's charges. */
export interface ChargePosition {
  readonly occurredAt: Date;
  readonly id: string;
}

/** Returns the position of a charge of the project, or of a payment that counts in it. Undefined if there is none. */
export async function findChargePosition(
  db: Db,
  { tenantId, projectId }: FoundProject,
  id: string,
): Promise<ChargePosition | undefined> {
  if (id.startsWith("pay_")) {
    const payment = await selectPaymentCharges(db, { tenantId, projectId })
      .where("payments.paymentId", "=", id as PaymentId)
      .executeTakeFirst();
    return payment && { occurredAt: payment.createdAt, id };
  }
  return selectWhere(db, "charges", { tenantId, projectId, chargeId: id })
    .select(["occurredAt", "chargeId as id"])
    .executeTakeFirst();
}

/** What to list of the project's charges. An undefined filter matches all. */
export interface ChargeFilter {
  /** The last charge on the previous page. */
  readonly after?: ChargePosition | undefined;
  readonly limit: number;
  readonly periodStart?: Date | undefined;
}

/** Returns the project's charges, newest first. */
export async function listChargeRows(
  db: Db,
  { tenantId, projectId }: FoundProject,
  { after, limit, periodStart, provider }: ChargeFilter & { readonly provider?: string | undefined },
): Promise<Charge[]> {
  return rowsWhere(db, "charges", { tenantId, projectId })
    .$if(periodStart !== undefined, (query) =>
      // A charge after a change of plan starts within the month.
      query
        .where("periodStart", ">=", periodStart ?? new Date(0))
        .where("periodStart", "<", periodOf(periodStart ?? new Date(0)).end),
    )
    .$if(provider !== undefined, (query) => query.where("provider", "=", provider ?? ""))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(occurred_at, charge_id) < (${after?.occurredAt}::timestamptz, ${after?.id}::text)`),
    )
    .orderBy("occurredAt", "desc")
    .orderBy("chargeId", "desc")
    .limit(limit)
    .execute();
}

/** A payment that counts in a project, and when its amount was reserved. */
export type PaymentCharge = Awaited<ReturnType<typeof listPaymentCharges>>[number];

/** Payments wait less than this for an approval, so those of a month were requested at most this long before it. */
const WAIT_MAX_MS = 31 * 86_400_000;

/** Returns the payments that count in the project, newest first. They count in the month in which they were reserved. */
export async function listPaymentCharges(db: Db, project: FoundProject, { after, limit, periodStart }: ChargeFilter) {
  const period = periodStart && periodOf(periodStart);
  return selectPaymentCharges(db, project)
    .$if(period !== undefined, (query) =>
      query
        .where("reservation.createdAt", ">=", period?.start ?? new Date(0))
        .where("reservation.createdAt", "<", period?.end ?? new Date(0))
        .where("payments.createdAt", "<", period?.end ?? new Date(0))
        .where("payments.createdAt", ">=", new Date((period?.start.getTime() ?? 0) - WAIT_MAX_MS)),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(payments.created_at, payments.payment_id) < (${after?.occurredAt}::timestamptz, ${after?.id}::text)`,
      ),
    )
    .orderBy("payments.createdAt", "desc")
    .orderBy("payments.paymentId", "desc")
    .limit(limit)
    .execute();
}

function selectPaymentCharges(db: Db, { tenantId, projectId }: FoundProject) {
  return selectWhere(db, "payments", { tenantId, projectId })
    .innerJoin(
      "budgetReservations as reservation",
      sameColumns("reservation", "payments", ["tenantId", "reservationId"]),
    )
    .select([
      "payments.paymentId",
      "payments.agentId",
      "payments.status",
      "payments.asset",
      "payments.baseUnits",
      "payments.paidBaseUnits",
      "payments.payeeAddress",
      "payments.createdAt",
      "reservation.createdAt as reservedAt",
    ]);
}
