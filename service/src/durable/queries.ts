import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";

/** A row in DBOS's table of completed transaction steps. `db/migrate.ts` creates the schema `dbos`. */
interface Completion {
  readonly output: string | null;
}

/** Returns the stored result of a transaction step, or undefined if it has not run. */
export async function findCompletion(
  tx: Tx,
  { workflowId, stepId }: { readonly workflowId: string; readonly stepId: number },
): Promise<Completion | undefined> {
  const { rows } = await sql<Completion>`
    select output from dbos.transaction_completion
    where workflow_id = ${workflowId} and function_num = ${stepId}`.execute(tx);
  return rows[0];
}

/** Records a transaction step as completed. Returns false if another process has already completed it. */
export async function insertCompletion(
  tx: Tx,
  completion: { readonly workflowId: string; readonly stepId: number; readonly output: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into dbos.transaction_completion (workflow_id, function_num, output)
    values (${completion.workflowId}, ${completion.stepId}, ${completion.output})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length === 1;
}

/** Deletes a workflow's transaction checkpoints, starting with the step `fromStep`. */
export async function deleteCompletions(db: Db, workflowId: string, fromStep: number): Promise<void> {
  await sql`
    delete from dbos.transaction_completion
    where workflow_id = ${workflowId} and function_num >= ${fromStep}`.execute(db);
}

/** Deletes all transaction checkpoints of these workflows. */
export async function deleteCompletionsOf(db: Db, workflowIds: readonly string[]): Promise<void> {
  await sql`
    delete from dbos.transaction_completion where workflow_id = any(${workflowIds})`.execute(db);
}

/** Deletes a workflow that has ended, so that one with the same id can start. */
export async function deleteWorkflow(tx: Tx, workflowId: string): Promise<void> {
  await deleteCompletionsOf(tx, [workflowId]);
  for (const table of ["workflow_input", "workflow_output", "operation_outputs", "workflow_status"]) {
    await sql`delete from ${sql.table(`dbos.${table}`)} where workflow_uuid = ${workflowId}`.execute(tx);
  }
}

/**
 * Acquires or renews a lease. Uses the database's clock, because the processes' clocks can differ. Returns false if
 * another process holds the lease, which can happen only if `isOwn` is false.
 */
export async function takeLease(
  db: Db,
  lease: { readonly executorId: string; readonly leaseMs: number; readonly isOwn: boolean },
): Promise<boolean> {
  const until = sql<Date>`now() + make_interval(secs => ${lease.leaseMs / 1000})`;
  const { rows } = await sql`
    insert into workflow_executors (executor_id, lease_expires_at) values (${lease.executorId}, ${until})
    on conflict (executor_id) do update set lease_expires_at = excluded.lease_expires_at
      where ${lease.isOwn} or workflow_executors.lease_expires_at < now()
    returning 1`.execute(db);
  return rows.length === 1;
}

/** Returns the ids of the processes whose lease is valid. */
export async function listLivingExecutors(db: Db): Promise<string[]> {
  const { rows } = await sql<{ executorId: string }>`
    select executor_id from workflow_executors where lease_expires_at > now()`.execute(db);
  return rows.map(({ executorId }) => executorId);
}

export async function deleteLease(db: Db, executorId: string): Promise<void> {
  await db.deleteFrom("workflowExecutors").where("executorId", "=", executorId).execute();
}

/** Deletes leases that expired more than an hour ago. */
export async function deleteOldLeases(db: Db): Promise<void> {
  await sql`delete from workflow_executors where lease_expires_at < now() - interval '1 hour'`.execute(db);
}

/**
 * Matches operations of which every service belongs to one of these providers: the service that the operation is about, or all
 * services in place of its project.
 */
export function isOfProviders(providers: readonly string[]) {
  return sql<boolean>`not exists (
    select from services where services.tenant_id = operations.tenant_id and services.project_id = operations.project_id
      and (services.service_id = operations.service_id
        or operations.service_id is null and services.status not in ('removed', 'failed'))
      and not services.provider = any(${providers}::text[]))`;
}

/** Returns the ids of those of the operations that need another provider than these. */
export async function listOperationsOfOtherProviders(
  db: Db,
  { operationIds, providers }: Readonly<Record<"operationIds" | "providers", readonly string[]>>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly operationId: string }>`
    select operation_id from operations
    where operation_id = any(${operationIds}::text[]) and not ${isOfProviders(providers)}`.execute(db);
  return new Set(rows.map(({ operationId }) => operationId));
}
