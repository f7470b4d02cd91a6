import { type Insertable, type Selectable, type SqlBool, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import {
  type InTurn,
  inTurns,
  itemsOf,
  type ListedPage,
  listInTurns,
  type Page,
  readNewest,
} from "../../../db/pages.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { exists, rowsWhere, sameColumns, selectWhere, updateWhere } from "../../../db/where.ts";
import type { ProjectId } from "../../../foundation/ids.ts";
import type { TenantScope } from "../../../foundation/tenant-scope.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { FoundProject } from "../../projects/queries.ts";
import { periodOf } from "../../projects/usage.ts";
import type { Charge } from "../queries.ts";

export const invoiceRows = tableOf("invoices", ["tenantId", "invoiceId"]);
/** The invoices, of any tenant, by their ids at the payment processor. */
export const invoiceRowsAtProcessor = tableOf("invoices", ["mode", "processorInvoiceId"]);

const INVOICES_MAX = 100;

export type Invoice = Selectable<Schema["invoices"]>;

type InvoiceKey = Pick<Invoice, "tenantId" | "invoiceId">;

/** A project's charges of one month that Purser bills. */
export type MonthToInvoice = Pick<Charge, "tenantId" | "projectId" | "mode" | "periodStart">;

/** A charge for a change of plan begins within the month. */
const MONTH = sql<Date>`date_trunc('month', charges.period_start, 'UTC')`;

const IS_OF_DELETED_PROJECT = sql<SqlBool>`exists (select from projects where projects.tenant_id = charges.tenant_id
  and projects.project_id = charges.project_id and projects.status = 'deleted')`;

/** Whether everything that Purser bills the project for this month is settled. */
const IS_MONTH_SETTLED = sql<SqlBool>`not exists (select from charges as other where other.tenant_id = charges.tenant_id
  and other.project_id = charges.project_id and other.billed_by = 'purser' and other.status = 'reserved'
  and date_trunc('month', other.period_start, 'UTC') = ${MONTH})`;

/** What the project's charges of all months add up to at most. A month's invoice may lack the refunds of later months. */
const OPEN_CENTS_MAX = sql<bigint>`(select sum(greatest(other.amount_cents, 0)) from charges as other
  where other.tenant_id = charges.tenant_id and other.project_id = charges.project_id and other.status = 'pending'
    and other.invoice_id is null)`;

/**
 * Yields the months of all tenants whose charges are all settled and not on an invoice yet. Of a deleted project, the
 * current month too, otherwise only months that began before `currentStart`, and none of a project whose charges surely
 * stay below `amountMinCents`: a job would find them again in each run.
 */
export function monthsToInvoice(db: Db, currentStart: Date, amountMinCents: bigint): AsyncGenerator<MonthToInvoice> {
  return inTurns<MonthToInvoice>(db, ["tenantId", "projectId", "periodStart"], () =>
    selectWhere(db, "charges", { status: "pending" })
      .select(["tenantId", "projectId", "mode", MONTH.as("periodStart")])
      .where("invoiceId", "is", null)
      .where(sql<SqlBool>`(period_start < ${currentStart} or ${IS_OF_DELETED_PROJECT})`)
      .where(IS_MONTH_SETTLED)
      .groupBy(["tenantId", "projectId", "mode", MONTH])
      .having(sql<SqlBool>`(${IS_OF_DELETED_PROJECT} or ${OPEN_CENTS_MAX} >= ${amountMinCents})`),
  );
}

/**
 * Returns the charges of the month, and of other months whose charges are all settled, that are not on an invoice yet: earlier
 * months, and all of a deleted project. Locks them until the transaction ends.
 */
export async function lockChargesToInvoice(
  tx: Tx,
  { tenantId, projectId, periodStart }: MonthToInvoice,
): Promise<Charge[]> {
  return rowsWhere(tx, "charges", { tenantId, projectId, status: "pending" })
    .where(sql<SqlBool>`(period_start < ${periodOf(periodStart).end} or ${IS_OF_DELETED_PROJECT})`)
    .where("invoiceId", "is", null)
    .where(IS_MONTH_SETTLED)
    .orderBy("chargeId")
    .forUpdate()
    .execute();
}

/** Returns true if nothing more will be billed, because the project is deleted and all that Purser bills is settled. */
export async function isLastInvoice(
  tx: Tx,
  { tenantId, projectId }: Pick<MonthToInvoice, "tenantId" | "projectId">,
): Promise<boolean> {
  return exists(
    rowsWhere(tx, "projects", { tenantId, projectId, status: "deleted" }).where(
      sql<SqlBool>`not exists (select from charges where charges.tenant_id = projects.tenant_id
        and charges.project_id = projects.project_id and billed_by = 'purser' and charges.status = 'reserved')`,
    ),
  );
}

/** Releases charges that cannot be paid. */
export async function releaseCharges(
  tx: Tx,
  { tenantId }: Pick<MonthToInvoice, "tenantId">,
  chargeIds: readonly string[],
): Promise<void> {
  await updateWhere(tx, "charges", { tenantId })
    .set({ status: "released" })
    .where("chargeId", "in", chargeIds)
    .execute();
}

/** Inserts an invoice and puts these charges on it. */
export async function insertInvoice(
  tx: Tx,
  invoice: Insertable<Schema["invoices"]>,
  chargeIds: readonly string[],
): Promise<void> {
  const { tenantId, invoiceId } = invoice;
  await tx.insertInto("invoices").values(invoice).execute();
  await updateWhere(tx, "charges", { tenantId }).set({ invoiceId }).where("chargeId", "in", chargeIds).execute();
}

/** Yields the invoices of all tenants with one of these statuses. The tenants take turns. */
export function invoicesWith(
  db: Db,
  statuses: readonly Invoice["status"][],
  { changedSince = new Date(0) }: { readonly changedSince?: Date } = {},
): AsyncGenerator<Invoice> {
  const due = db
    .selectFrom("invoices")
    .selectAll()
    .where("status", "in", statuses)
    .where("updatedAt", ">=", changedSince);
  return itemsOf<InTurn<Invoice>>((after) =>
    listInTurns(db, due, ["tenantId", "invoiceId"], { after, limit: INVOICES_MAX }),
  );
}

/** Returns the oldest invoice of a customer at the payment processor, of any tenant. */
export async function findInvoiceOfCustomer(db: Db, mode: Mode, customerId: string): Promise<Invoice | undefined> {
  return rowsWhere(db, "invoices", { customerId, mode }).orderBy("invoiceId").limit(1).executeTakeFirst();
}

/** How many charges of an invoice are listed with it. */
export const INVOICE_CHARGES_MAX = 50;

/** An invoice with its project and its first charges, one more than the maximum if there are more. */
export interface ListedInvoice extends Invoice {
  readonly projectName: string;
  readonly charges: readonly {
    readonly chargeId: string;
    readonly description: string;
    /** As text. */
    readonly cents: string;
  }[];
}

const FIRST_CHARGES = sql<ListedInvoice["charges"]>`(
  select coalesce(json_agg(json_build_object(
      'chargeId', charge_id, 'description', description, 'cents', amount_cents::text) order by charge_id), '[]')
  from (
    select charge_id, description, amount_cents from charges
    where charges.tenant_id = invoices.tenant_id and charges.invoice_id = invoices.invoice_id
    order by charge_id limit ${sql.lit(INVOICE_CHARGES_MAX + 1)}
  ) as first)`;

/** Returns one page of the invoices in scope, also of deleted projects, newest first. */
export async function listInvoices(
  db: Db,
  { tenantId, mode, projectIds }: Pick<TenantScope, "tenantId" | "mode" | "projectIds">,
  page: Page<string>,
): Promise<ListedPage<ListedInvoice>> {
  const invoices = db
    .selectFrom("invoices")
    .innerJoin("projects", sameColumns("projects", "invoices", ["tenantId", "projectId"]))
    .selectAll("invoices")
    .select(["projects.name as projectName", FIRST_CHARGES.as("charges")])
    .where("invoices.tenantId", "=", tenantId)
    .where("invoices.mode", "=", mode)
    .$if(projectIds.length > 0, (query) => query.where("invoices.projectId", "in", projectIds as ProjectId[]));
  return readNewest(invoices, { tenantId, table: "invoices", column: "invoiceId" }, page);
}

/** Returns the charges on the invoice. */
export async function listInvoiceCharges(db: Db, { tenantId, invoiceId }: InvoiceKey): Promise<Charge[]> {
  return rowsWhere(db, "charges", { tenantId, invoiceId }).orderBy("chargeId").execute();
}

/** Changes the invoice's charges that have one of these statuses, and returns them. */
export async function updateInvoiceCharges(
  tx: Tx,
  { tenantId, invoiceId }: InvoiceKey,
  from: readonly Charge["status"][],
  change: Pick<Charge, "status"> & Partial<Pick<Charge, "paymentId">>,
): Promise<Charge[]> {
  const changed = await updateWhere(tx, "charges", { tenantId, invoiceId })
    .set(change)
    .where("status", "in", from)
    .returningAll()
    .execute();
  return changed.toSorted((one, other) => (one.chargeId < other.chargeId ? -1 : 1));
}

/** Returns true if a payment of the project was declined and the amount is still owed. */
export async function hasPastDueInvoice(db: Db, { tenantId, projectId }: FoundProject): Promise<boolean> {
  return exists(rowsWhere(db, "invoices", { tenantId, projectId, pastDue: true }));
}

/** Returns true if anything that Purser bills the project for is not final, not invoiced or not paid. */
export async function hasUnpaidCharges(db: Db, { tenantId, projectId }: FoundProject): Promise<boolean> {
  return exists(
    rowsWhere(db, "charges", { tenantId, projectId, billedBy: "purser" }).where("status", "in", [
      "reserved",
      "pending",
      "failed",
    ]),
  );
}

/** Returns what was refunded of a charge at the payment processor, according to the project's charges. */
export async function sumRefunds(db: Db, { tenantId, projectId }: FoundProject, paymentId: string): Promise<bigint> {
  const { refunded } = await selectWhere(db, "charges", { tenantId, projectId, type: "refund", paymentId })
    .select(sql<string>`coalesce(-sum(amount_cents), 0)::text`.as("refunded"))
    .executeTakeFirstOrThrow();
  return BigInt(refunded);
}
