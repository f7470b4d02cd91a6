import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { OperationStepTable, OperationTable } from "../db/schema.ts";
import { AppError } from "../foundation/errors.ts";
import type { OperationId, ProjectId, ServiceId, TenantId } from "../foundation/ids.ts";
import type { OperationType, StepStatus } from "../foundation/vocabulary.ts";

export type OperationStep = Selectable<OperationStepTable>;

interface ProjectKey {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId;
}

/** An operation as the workflow of the same id knows it. */
export interface OperationKey {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
}

/** An operation together with its steps, in their order. */
export interface Operation extends Selectable<OperationTable> {
  readonly steps: readonly OperationStep[];
}

/**
 * The operation, or `operation_not_found`, which one of another project is too. Its steps are read after it, so that one
 * that has ended never shows a step that has not.
 */
export async function getOperationRow(
  db: Db,
  { tenantId, projectId }: ProjectKey,
  operationId: OperationId,
): Promise<Operation> {
  const operation = await db
    .selectFrom("operations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("operationId", "=", operationId)
    .executeTakeFirst();
  if (operation === undefined) {
    const internal = `no operation ${operationId} of this project`;
    throw new AppError("operation_not_found", { internal });
  }
  const steps = await db
    .selectFrom("operationSteps")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .orderBy("position")
    .execute();
  return { ...operation, steps };
}

/** The operation of this kind that runs, or undefined. */
export async function findRunningOperation(
  db: Db,
  { tenantId, projectId }: ProjectKey,
  { type, serviceId }: Pick<Operation, "type" | "serviceId">,
): Promise<OperationId | undefined> {
  const row = await db
    .selectFrom("operations")
    .select("operationId")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("type", "=", type)
    .where("serviceId", serviceId === null ? "is" : "=", serviceId)
    .where("status", "=", "running")
    .executeTakeFirst();
  return row?.operationId;
}

/** The services of the project that an operation is adding. One that nobody works on any more is not among them. */
export async function listServicesBeingAdded(
  db: Db,
  { tenantId, projectId }: ProjectKey,
): Promise<ReadonlySet<ServiceId | null>> {
  const rows = await db
    .selectFrom("operations")
    .select("serviceId")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("type", "=", "service.add")
    .where("status", "=", "running")
    .execute();
  return new Set(rows.map(({ serviceId }) => serviceId));
}

/** The operations that have added the service, or tried to. */
export async function listAdditionsOf(
  db: Db,
  { tenantId, serviceId }: { readonly tenantId: TenantId; readonly serviceId: ServiceId },
): Promise<OperationId[]> {
  const rows = await db
    .selectFrom("operations")
    .select("operationId")
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .where("type", "=", "service.add")
    .execute();
  return rows.map(({ operationId }) => operationId);
}

/** Begins an operation, with every step that it will go through. */
export async function insertOperation(
  tx: Tx,
  operation: Insertable<OperationTable>,
  steps: readonly string[],
): Promise<void> {
  const { tenantId, operationId } = operation;
  await tx.insertInto("operations").values(operation).execute();
  await tx
    .insertInto("operationSteps")
    .values(
      steps.map((name, position) => ({
        tenantId,
        operationId,
        position,
        name,
        status: position === 0 ? ("running" as const) : ("pending" as const),
      })),
    )
    .execute();
}

/** The operation's own row, for the workflow that carries it out. */
export async function getOperationById(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
): Promise<Selectable<OperationTable>> {
  return tx
    .selectFrom("operations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .executeTakeFirstOrThrow();
}

/** Locks the operation until the transaction ends, where it still runs as far as it knows. False: it does not. */
export async function lockWhileRunning(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
): Promise<boolean> {
  const row = await tx
    .selectFrom("operations")
    .select("operationId")
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
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

/** Ends the step that runs, and begins the next one, where there is one. */
export async function moveOn(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  {
    step,
    as,
    next = "",
    at,
  }: {
    readonly step: string;
    readonly as: StepStatus;
    readonly next?: string | undefined;
    readonly at: Date;
  },
): Promise<void> {
  await tx
    .updateTable("operationSteps")
    .set(({ eb }) => ({
      status: eb
        .case()
        .when("name", "=", step)
        .then(as)
        .else("running" as StepStatus)
        .end(),
      at,
    }))
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .where(({ eb, or, and }) =>
      or([
        and([eb("name", "=", step), eb("status", "=", "running")]),
        and([eb("name", "=", next), eb("status", "=", "pending")]),
      ]),
    )
    .execute();
}

/** Sets the steps that stand as `from` says to `to`, the named ones or all. */
export async function updateSteps(
  tx: Tx,
  { tenantId, operationId }: OperationKey,
  {
    names,
    from,
    to,
    at,
  }: {
    readonly names?: readonly string[];
    readonly from: readonly StepStatus[];
    readonly to: StepStatus;
    readonly at: Date;
  },
): Promise<void> {
  await tx
    .updateTable("operationSteps")
    .set({ status: to, at })
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .where("status", "in", [...from])
    .$if(names !== undefined, (query) => query.where("name", "in", [...(names ?? [])]))
    .execute();
}

/** An operation as the jobs find it that look after forgotten ones. */
export type FoundOperation = OperationKey & { readonly type: OperationType };

interface Looking {
  readonly before: Date;
  readonly limit: number;
}

/** Operations that were written down before `before`, and that the workflow engine knows nothing of. */
export async function listUnbegunOperations(db: Db, looking: Looking): Promise<FoundOperation[]> {
  return selectRunning(db, looking)
    .where(
      sql<boolean>`not exists (select from dbos.workflow_status where workflow_uuid = operation_id)`,
    )
    .execute();
}

/** Operations that run as far as they know, and whose workflow has ended before `before`: nobody works on them any more. */
export async function listStrandedOperations(db: Db, looking: Looking): Promise<FoundOperation[]> {
  return selectRunning(db, looking)
    .where("updatedAt", "<", looking.before)
    .where(
      sql<boolean>`exists (select from dbos.workflow_status where workflow_uuid = operation_id
        and status not in ('PENDING', 'ENQUEUED', 'DELAYED'))`,
    )
    .execute();
}

function selectRunning(db: Db, { before, limit }: Looking) {
  return db
    .selectFrom("operations")
    .select(["tenantId", "operationId", "type"])
    .where("status", "=", "running")
    .where("createdAt", "<", before)
    .orderBy("createdAt")
    .limit(limit);
}
