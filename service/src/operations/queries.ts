import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { OperationStepTable, OperationTable } from "../db/schema.ts";
import type { OperationId, TenantId } from "../foundation/ids.ts";
import type { Mode, StepStatus } from "../foundation/vocabulary.ts";

export type OperationRow = Selectable<OperationTable>;

/** An operation as the workflow of the same id knows it. */
export interface OperationKey {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
}

/** An operation together with its steps, in their order. */
export interface Operation extends OperationRow {
  readonly steps: readonly Selectable<OperationStepTable>[];
}

/** The tenant's operation in this mode, with its steps, or undefined. */
export async function findOperation(
  db: Db,
  { tenantId, mode, operationId }: OperationKey & { readonly mode: Mode },
): Promise<Operation | undefined> {
  const operation = await selectOperation(db, { tenantId, operationId })
    .where("mode", "=", mode)
    .executeTakeFirst();
  if (operation === undefined) return undefined;
  // Read after the operation, so that one that has ended never shows a step that has not.
  const steps = await db
    .selectFrom("operationSteps")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .orderBy("position")
    .execute();
  return { ...operation, steps };
}

/** The operation's own row, for the workflow that carries it out. */
export async function getOperationById(tx: Tx, key: OperationKey): Promise<OperationRow> {
  return selectOperation(tx, key).executeTakeFirstOrThrow();
}

/** The operation's own row, with the number of its steps that have succeeded or were skipped. */
export async function getBegunOperation(
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
  return db
    .selectFrom("operations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId);
}

/** The operation of this type that runs upon the subject, or undefined. */
export async function findRunningOperation(
  db: Db,
  work: { readonly tenantId: TenantId; readonly type: string; readonly subjectId: string },
): Promise<OperationId | undefined> {
  const row = await selectOfSubject(db, work).where("status", "=", "running").executeTakeFirst();
  return row?.operationId;
}

/** Every operation of this type upon the subject, whatever became of it. */
export async function listOperationsOf(
  db: Db,
  work: { readonly tenantId: TenantId; readonly type: string; readonly subjectId: string },
): Promise<OperationId[]> {
  const rows = await selectOfSubject(db, work).execute();
  return rows.map(({ operationId }) => operationId);
}

function selectOfSubject(
  db: Db,
  {
    tenantId,
    type,
    subjectId,
  }: { readonly tenantId: TenantId; readonly type: string; readonly subjectId: string },
) {
  return db
    .selectFrom("operations")
    .select("operationId")
    .where("tenantId", "=", tenantId)
    .where("subjectId", "=", subjectId)
    .where("type", "=", type);
}

/** The ids of the project's subjects that operations of this type run upon. */
export async function listSubjectsOfRunning(
  db: Db,
  { tenantId, type, projectId }: Pick<OperationRow, "tenantId" | "type" | "projectId">,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("operations")
    .select("subjectId")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("type", "=", type)
    .where("status", "=", "running")
    .execute();
  return new Set(rows.map(({ subjectId }) => subjectId));
}

/** Begins an operation, with every step that it will go through. */
export async function insertOperation(
  tx: Tx,
  operation: Insertable<OperationTable>,
  stepNames: readonly string[],
): Promise<void> {
  const { tenantId, operationId } = operation;
  await tx.insertInto("operations").values(operation).execute();
  await tx
    .insertInto("operationSteps")
    .values(
      stepNames.map((name, position) => ({
        tenantId,
        operationId,
        position,
        name,
        status: position === 0 ? ("running" as const) : ("pending" as const),
      })),
    )
    .execute();
}

/** Locks the operation until the transaction ends, where it still runs as far as it knows. False: it does not. */
export async function lockWhileRunning(tx: Tx, key: OperationKey): Promise<boolean> {
  const row = await selectOperation(tx, key)
    .where("status", "=", "running")
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateOperationRow(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  change: Updateable<OperationTable>,
): Promise<void> {
  await tx
    .updateTable("operations")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .execute();
}

/** Sets the steps at positions `from` to `next - 1` to `succeeded` or `skipped`, and the step at `next` to `running`. */
export async function completeSteps(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  {
    from,
    next,
    skipped,
    at,
  }: {
    readonly from: number;
    readonly next: number;
    readonly skipped: readonly number[];
    readonly at: Date;
  },
): Promise<void> {
  await tx
    .updateTable("operationSteps")
    .set({
      status: sql<StepStatus>`case
        when position = ${next} then 'running'
        when position = any(${[...skipped]}::integer[]) then 'skipped'
        else 'succeeded' end`,
      at,
    })
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .where("position", ">=", from)
    .where("position", "<=", next)
    .execute();
}

/** Ends every step: `running` becomes `failed`, `pending` becomes `skipped`, and the steps in `undone` become `compensated`. */
export async function endSteps(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  { undone, at }: { readonly undone: readonly string[]; readonly at: Date },
): Promise<void> {
  await tx
    .updateTable("operationSteps")
    .set({
      status: sql<StepStatus>`case status
        when 'running' then 'failed' when 'pending' then 'skipped' else 'compensated' end`,
      at,
    })
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .where(
      sql<boolean>`(status in ('running', 'pending')
        or status = 'succeeded' and name = any(${[...undone]}::text[]))`,
    )
    .execute();
}

/** Sets the running step to `failed`. Later steps stay `pending`. */
export async function failRunningStep(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  at: Date,
): Promise<void> {
  await tx
    .updateTable("operationSteps")
    .set({ status: "failed", at })
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .where("status", "=", "running")
    .execute();
}

/** An operation as the jobs find it that look after forgotten ones. */
export type FoundOperation = OperationKey & { readonly type: string };

interface Looking {
  /** The types that this version knows. */
  readonly types: readonly string[];
  readonly before: Date;
  readonly limit: number;
}

/** Operations that were written down before `before`, and that the workflow engine knows nothing of. */
export async function listPendingOperations(db: Db, looking: Looking): Promise<FoundOperation[]> {
  return selectRunning(db, looking)
    .where(
      sql<boolean>`not exists (select from dbos.workflow_status where workflow_uuid = operation_id)`,
    )
    .execute();
}

/**
 * Operations with status `running` whose workflow has ended, and which were last updated before `before`. A cancelled workflow
 * is about to be restarted, and is left out.
 */
export async function listStuckOperations(db: Db, looking: Looking): Promise<FoundOperation[]> {
  return selectRunning(db, looking)
    .where("updatedAt", "<", looking.before)
    .where(
      sql<boolean>`exists (select from dbos.workflow_status where workflow_uuid = operation_id
        and status not in ('PENDING', 'ENQUEUED', 'DELAYED', 'CANCELLED'))`,
    )
    .execute();
}

function selectRunning(db: Db, { types, before, limit }: Looking) {
  return db
    .selectFrom("operations")
    .select(["tenantId", "operationId", "type"])
    .where("status", "=", "running")
    .where("type", "in", [...types])
    .where("createdAt", "<", before)
    .orderBy("createdAt")
    .limit(limit);
}
