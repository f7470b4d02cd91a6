import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import type { ServiceId, TenantId } from "../../../foundation/ids.ts";
import type { FoundProject } from "../queries.ts";
import { type Period, SPENT_STATUSES } from "../usage.ts";

export type Charge = Selectable<Schema["charges"]>;

export type NewCharge = Insertable<Schema["charges"]>;

/** Returns the total of the spent and reserved charges in a period, for the project or for one of its providers. */
export async function sumCommitted(
  tx: Tx,
  {
    tenantId,
    projectId,
    provider,
    start,
    end,
  }: {
    readonly tenantId: TenantId;
    readonly projectId: string;
    /** Undefined selects all providers. */
    readonly provider: string | undefined;
    readonly start: Date;
    readonly end: Date;
  },
): Promise<bigint> {
  const { sum } = await tx
    .selectFrom("charges")
    .select(sql<bigint>`coalesce(sum(amount_cents), 0)`.as("sum"))
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId as Insertable<Schema["charges"]>["projectId"])
    .where("status", "in", ["reserved", "pending", "succeeded", "disputed"])
    .where("occurredAt", ">=", start)
    .where("occurredAt", "<", end)
    .$if(provider !== undefined, (query) => query.where("provider", "=", provider ?? ""))
    .executeTakeFirstOrThrow();
  return BigInt(sum);
}

export async function insertCharge(tx: Tx, charge: NewCharge): Promise<void> {
  await tx.insertInto("charges").values(charge).execute();
}

/** Changes the status of the service's charges from `from` to `to`. Returns the number of changed charges. */
export async function moveCharges(
  tx: Tx,
  { tenantId, serviceId }: { readonly tenantId: TenantId; readonly serviceId: ServiceId },
  { from, to }: { readonly from: "reserved" | "pending"; readonly to: "pending" | "released" },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("charges")
    .set({ status: to })
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .where("status", "=", from)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Returns each provider's spent and reserved amounts in the period, sorted by provider. */
export async function listSpendingByProvider(
  db: Db,
  { tenantId, projectId }: FoundProject,
  { start, end }: Period,
) {
  return db
    .selectFrom("charges")
    .select(({ fn }) => [
      "provider",
      fn
        .sum<bigint | null>("amountCents")
        .filterWhere("status", "in", [...SPENT_STATUSES])
        .as("spentCents"),
      fn
        .sum<bigint | null>("amountCents")
        .filterWhere("status", "=", "reserved")
        .as("reservedCents"),
    ])
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("occurredAt", ">=", start)
    .where("occurredAt", "<", end)
    .groupBy("provider")
    .orderBy("provider")
    .execute();
}

/** Returns the project's newest charges, regardless of month and status. */
export async function listNewestCharges(
  db: Db,
  { tenantId, projectId }: FoundProject,
  limit: number,
): Promise<Charge[]> {
  return db
    .selectFrom("charges")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .orderBy("occurredAt", "desc")
    .orderBy("chargeId", "desc")
    .limit(limit)
    .execute();
}
