import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { type InTurn, inTurns, listInTurns, pagesOf } from "../db/pages.ts";
import type { Row, Schema } from "../db/schema.ts";
import { tableOf } from "../db/table.ts";
import { countRows, exists, lockName, rowsWhere, selectWhere, updateWhere } from "../db/where.ts";
import { isOfProviders } from "../durable/queries.ts";
import type { OperationId, ServiceId } from "../foundation/ids.ts";
import type { Mode, StepStatus } from "../foundation/vocabulary.ts";

export const operationRows = tableOf("operations", ["tenantId", "operationId"]);

export type OperationRow = Row<"operations">;

/** Identifies an operation. `operationId` is also the ID of its workflow. */
export type OperationKey = Pick<OperationRow, "tenantId" | "operationId">;

/** Returns whether a step could not be undone, or was undone by hand. No step runs any more: the operation is only undone. */
export function hasBegunUndoing({
  stuckStep,
  undoneByHand,
}: Pick<OperationRow, "stuckStep" | "undoneByHand">): boolean {
  return stuckStep !== null || undoneByHand.length > 0;
}

/** An operation with its steps in order. */
export interface Operation extends OperationRow {
  readonly steps: readonly Row<"operationSteps">[];
}

/** Returns the tenant's operation in this mode, with its steps, or undefined. */
export async function findOperation(
  db: Db,
  { tenantId, mode, operationId }: OperationKey & { readonly mode: Mode },
): Promise<Operation | undefined> {
  const operation = await selectOperation(db, { tenantId, operationId }).where("mode", "=", mode).executeTakeFirst();
  if (operation === undefined) return undefined;
  // The steps are read after the operation's row. An operation that has ended is therefore never returned with a
  // running step.
  const steps = await rowsWhere(db, "operationSteps", { tenantId, operationId }).orderBy("position").execute();
  return { ...operation, steps };
}

/** Returns whether these providers are all that the operation needs. */
export async function isOperationOf(db: Db, key: OperationKey, providers: readonly string[]) {
  return exists(selectOperation(db, key).where(isOfProviders(providers)));
}

/** Returns the operation's row, with the number of steps that have succeeded or were skipped. */
export async function getOperationProgress(
  tx: Tx,
  key: OperationKey,
): Promise<OperationRow & { readonly passedSteps: number }> {
  return selectOperation(tx, key)
    .select(
      sql<number>`(select count(*)::integer from operation_steps s
        where s.tenant_id = operations.tenant_id and s.operation_id = operations.operation_id
        and s.status in ('succeeded', 'skipped'))`.as("passedSteps"),
    )
    .executeTakeFirstOrThrow();
}

function selectOperation(db: Db, { tenantId, operationId }: OperationKey) {
  return rowsWhere(db, "operations", { tenantId, operationId });
}

/** What an operation does, and to which object. */
type Work = Pick<OperationRow, "tenantId" | "type" | "subjectId">;

/** Returns the ID of the subject's operation of this type that has not ended, or undefined. */
export async function findOpenOperation(db: Db, work: Work): Promise<OperationId | undefined> {
  const row = await selectOfSubject(db, work)
    .where("status", "in", ["running", "requires_approval"])
    .executeTakeFirst();
  return row?.operationId;
}

/** Returns the subject's operation of any type that has not ended, or undefined. */
export async function findOpenOperationOf(
  db: Db,
  { tenantId, subjectId }: Pick<Work, "tenantId" | "subjectId">,
): Promise<Pick<OperationRow, "operationId" | "type"> | undefined> {
  return selectWhere(db, "operations", { tenantId, subjectId })
    .select(["operationId", "type"])
    .where("status", "in", ["running", "requires_approval"])
    .executeTakeFirst();
}

/** Locks the subject's operation of this type that requires an approval, and returns its ID. Undefined if none does. */
export async function lockWaitingOperation(tx: Tx, work: Work): Promise<OperationId | undefined> {
  const row = await selectOfSubject(tx, work)
    .where("status", "=", "requires_approval")
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.operationId;
}

/** Returns the IDs of the subject's newest operations of this type, with any status. */
export async function listOperationsOf(db: Db, work: Work, limit: number): Promise<OperationId[]> {
  const rows = await selectOfSubject(db, work).orderBy("createdAt", "desc").limit(limit).execute();
  return rows.map(({ operationId }) => operationId);
}

function selectOfSubject(db: Db, { tenantId, type, subjectId }: Work) {
  return selectWhere(db, "operations", { tenantId, type, subjectId }).select("operationId");
}

/** Returns the project's operations of these types about services that require an approval. */
export async function listWaitingOperations(
  db: Db,
  { tenantId, projectId, types }: Pick<OperationRow, "tenantId" | "projectId"> & { readonly types: readonly string[] },
): Promise<{ readonly operationId: OperationId; readonly type: string; readonly serviceId: ServiceId }[]> {
  return selectWhere(db, "operations", { tenantId, status: "requires_approval" })
    .where("projectId", "=", projectId)
    .select(["operationId", "type", "serviceId"])
    .where("type", "in", [...types])
    .where("serviceId", "is not", null)
    .$narrowType<{ serviceId: ServiceId }>()
    .orderBy("operationId")
    .execute();
}

/** Counts the running operations. Takes a lock until the transaction ends, so concurrent calls wait. */
export async function countRunningLocked(
  tx: Tx,
  { tenantId, mode }: Pick<OperationRow, "tenantId" | "mode">,
): Promise<number> {
  await lockName(tx, `operations ${tenantId} ${mode}`);
  return countRows(rowsWhere(tx, "operations", { tenantId, mode, status: "running" }));
}

/** Inserts an operation with all its steps. The first step is `running`. */
export async function insertOperation(
  tx: Tx,
  operation: Insertable<Schema["operations"]>,
  stepNames: readonly string[],
): Promise<void> {
  const { tenantId, operationId } = operation;
  await operationRows.insert(tx, operation);
  const steps = stepNames.map((name, position) => {
    return { tenantId, operationId, position, name, status: position === 0 ? "running" : "pending" } as const;
  });
  await tx.insertInto("operationSteps").values(steps).execute();
}

/** If the operation is `running`, locks it until the transaction ends and returns true. Otherwise returns false. */
export async function lockWhileRunning(tx: Tx, key: OperationKey): Promise<boolean> {
  const row = await selectOperation(tx, key).where("status", "=", "running").forNoKeyUpdate().executeTakeFirst();
  return row !== undefined;
}

/** Sets the steps at positions `from` to `next - 1` to `succeeded` or `skipped`, and the step at `next` to `running`. */
export async function completeSteps(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  range: { readonly from: number; readonly next: number; readonly skipped: readonly number[]; readonly at: Date },
): Promise<void> {
  const { from, next, skipped, at } = range;
  await updateWhere(tx, "operationSteps", { tenantId, operationId })
    .set({
      status: sql<StepStatus>`case
        when position = ${next} then 'running'
        when position = any(${[...skipped]}::integer[]) then 'skipped'
        else 'succeeded' end`,
      at,
    })
    .where("position", ">=", from)
    .where("position", "<=", next)
    .execute();
}

/** Sets the first step to `running` and the others to `pending`. */
export async function restartSteps(tx: Tx, { tenantId, operationId }: OperationKey, at: Date): Promise<void> {
  await updateWhere(tx, "operationSteps", { tenantId, operationId })
    .set({
      status: sql<StepStatus>`case when position = 0 then 'running' else 'pending' end`,
      at: sql<Date | null>`case when position = 0 then ${at}::timestamptz end`,
    })
    .execute();
}

/**
 * Sets the final status of the steps: `running` becomes `failed`, `pending` becomes `skipped`, and succeeded steps in
 * `undone` become `compensated`.
 */
export async function endSteps(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  { undone, at }: { readonly undone: readonly string[]; readonly at: Date },
): Promise<void> {
  await updateWhere(tx, "operationSteps", { tenantId, operationId })
    .set({
      status: sql<StepStatus>`case status
        when 'running' then 'failed' when 'pending' then 'skipped' else 'compensated' end`,
      at,
    })
    .where(
      sql<boolean>`(status in ('running', 'pending')
        or status = 'succeeded' and name = any(${[...undone]}::text[]))`,
    )
    .execute();
}

/** Sets the running step to `failed`. Later steps stay `pending`. */
export async function failRunningStep(tx: Tx, { tenantId, operationId }: OperationKey, at: Date): Promise<void> {
  await updateWhere(tx, "operationSteps", { tenantId, operationId, status: "running" })
    .set({ status: "failed", at })
    .execute();
}

/** Sets the failed step to `running`. */
export async function rerunFailedStep(tx: Tx, { tenantId, operationId }: OperationKey, at: Date): Promise<void> {
  await updateWhere(tx, "operationSteps", { tenantId, operationId, status: "failed" })
    .set({ status: "running", at })
    .execute();
}

/** An operation to be started or escalated by a background job. */
export type FoundOperation = Pick<OperationRow, "tenantId" | "operationId" | "type" | "createdAt">;

/** How many operations are started at once. */
const OPERATIONS_MAX = 100;

interface JobQuery {
  /** The operation types that this version of the server can run. */
  readonly types: readonly string[];
  readonly before: Date;
}

interface AbleJobQuery extends JobQuery {
  /** The providers that this process can call. It leaves the operations of others to other processes. */
  readonly providers: readonly string[];
}

/** Yields pages of the running operations that were created before `before` and have no workflow. The tenants take turns. */
export function pendingOperations(
  db: Db,
  { providers, ...query }: AbleJobQuery,
): AsyncGenerator<readonly FoundOperation[]> {
  const pending = selectRunning(db, query)
    .where(isOfProviders(providers))
    .where(sql<boolean>`not exists (select from dbos.workflow_status where workflow_uuid = operation_id)`);
  return pagesOf<InTurn<FoundOperation>>((after) => listInTurns(db, pending, ORDER, { after, limit: OPERATIONS_MAX }));
}

/**
 * Yields the running operations whose workflow has ended and which were last updated before `before`. Operations with a
 * cancelled workflow are excluded, because such a workflow is about to be restarted.
 */
export function stuckOperations(db: Db, query: JobQuery): AsyncGenerator<FoundOperation> {
  return inTurns<FoundOperation>(db, ORDER, () =>
    selectRunning(db, query)
      .where("updatedAt", "<", query.before)
      .where(
        sql<boolean>`exists (select from dbos.workflow_status where workflow_uuid = operation_id
        and status not in ('PENDING', 'ENQUEUED', 'DELAYED', 'CANCELLED'))`,
      ),
  );
}

const ORDER = ["createdAt", "tenantId", "operationId"] as const;

function selectRunning(db: Db, { types, before }: JobQuery) {
  return selectWhere(db, "operations", { status: "running" })
    .select(["tenantId", "operationId", "type", "createdAt"])
    .where("type", "in", [...types])
    .where("createdAt", "<", before);
}
