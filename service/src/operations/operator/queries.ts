import { type ExpressionBuilder, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../db/pages.ts";
import type { Schema } from "../../db/schema.ts";
import { exists, rowsWhere, selectWhere } from "../../db/where.ts";
import type { OperationId } from "../../foundation/ids.ts";
import type { Operation, OperationRow } from "../queries.ts";

/** The statuses of operations that an operator may have to look at, in the order of their list. */
export const OPERATOR_STATUSES = ["needs_operator", "running"] as const;

/** The place of an operation in the list. `rank` is the number of its status. */
export interface StuckPosition {
  readonly rank: number;
  readonly operationId: string;
}

export interface StuckQuery extends Page<StuckPosition> {
  readonly status: (typeof OPERATOR_STATUSES)[number] | undefined;
  /** Running operations are listed if they were created before this time. */
  readonly runningSince: Date;
}

export type StuckOperation = Operation & StuckPosition;

/** Returns operations of all tenants: those that need an operator, then those that run for long; the oldest first. */
export async function listStuckOperations(
  db: Db,
  { status, runningSince, after, limit }: StuckQuery,
): Promise<ListedPage<StuckOperation>> {
  const rank = sql<number>`(status = 'running')::integer`;
  let found = db.selectFrom("operations").selectAll().select(rank.as("rank")).where(isStuck(runningSince));
  if (status !== undefined) found = found.where("status", "=", status);
  if (after !== undefined)
    found = found.where(sql<boolean>`(${rank}, operation_id) > (${after.rank}, ${after.operationId})`);
  const page = await readPage(limit, (max) => found.orderBy("rank").orderBy("operationId").limit(max).execute());
  return { ...page, items: await withSteps(db, page.items) };
}

/** Returns how many operations need an operator, and how many have run since this time. */
export async function countStuckOperations(
  db: Db,
  runningSince: Date,
): Promise<{ readonly needsOperator: number; readonly runningLong: number }> {
  return db
    .selectFrom("operations")
    .select(sql<number>`count(*) filter (where status = 'needs_operator')::integer`.as("needsOperator"))
    .select(sql<number>`count(*) filter (where status = 'running')::integer`.as("runningLong"))
    .where(isStuck(runningSince))
    .executeTakeFirstOrThrow();
}

function isStuck(runningSince: Date) {
  return ({ eb, or, and, not }: ExpressionBuilder<Schema, "operations">) =>
    or([
      and([eb("status", "=", sql.lit("needs_operator" as const)), not(isReplaced)]),
      and([eb("status", "=", sql.lit("running" as const)), eb("createdAt", "<", runningSince)]),
    ]);
}

/** Returns the operation, whichever tenant it belongs to. */
export async function findOperationOfAnyTenant(db: Db, operationId: OperationId): Promise<Operation | undefined> {
  const [operation] = await withSteps(db, await rowsWhere(db, "operations", { operationId }).limit(1).execute());
  return operation;
}

async function withSteps<Row extends OperationRow>(db: Db, operations: readonly Row[]) {
  const ids = operations.map(({ operationId }) => operationId);
  const tenantIds = operations.map(({ tenantId }) => tenantId);
  const steps = await db
    .selectFrom("operationSteps")
    .selectAll()
    .where(sql<boolean>`(tenant_id, operation_id) in (select * from unnest(${tenantIds}::text[], ${ids}::text[]))`)
    .orderBy("position")
    .execute();
  return operations.map((operation) => ({
    ...operation,
    steps: steps.filter(({ operationId }) => operationId === operation.operationId),
  }));
}

/** A later operation about the same subject, or about the project that the subject belongs to. */
const laterOperation = sql`select from operations as later
  where later.tenant_id = operations.tenant_id and later.operation_id > operations.operation_id
    and later.subject_id in (operations.subject_id, operations.project_id)`;

/** Whether a later operation has succeeded in place of this one. One that failed too leaves this one for an operator. */
const isReplaced = sql<boolean>`exists (${laterOperation} and later.status = 'succeeded')`;

/** Returns whether there is a later operation about the same subject. This one can then not go on. */
export async function hasLaterOperation(tx: Tx, { tenantId, operationId }: OperationRow): Promise<boolean> {
  return exists(
    selectWhere(tx, "operations", { tenantId, operationId }).where(sql<boolean>`exists (${laterOperation})`),
  );
}
