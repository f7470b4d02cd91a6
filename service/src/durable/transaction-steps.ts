import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  assertStillOwnsWorkflow,
  type DataSourceTransactionHandler,
  DBOSStepAlreadyRecordedError,
  DBOSWorkflowConflictError,
} from "@dbos-inc/dbos-sdk/datasource";
import type { Db, Tx } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import type { StepResult } from "./durable-execution.ts";
import { deleteCompletions, findCompletion, insertCompletion } from "./queries.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";

export const TRANSACTION_STEPS = "purser";

/**
 * Runs a workflow's database steps on Purser's pool, with row-level security. A step's changes and its checkpoint are
 * committed together. If another process has taken over the workflow, the transaction is rolled back.
 */
export function transactionSteps(db: Db): DataSourceTransactionHandler {
  return {
    name: TRANSACTION_STEPS,
    initialize: async () => {},
    destroy: async () => {},
    invokeTransactionFunction: async (config, _target, work, ..._none) => {
      const { tenantId } = config as { readonly tenantId: TenantId };
      const { workflowID: workflowId, stepID: stepId } = DBOS;
      invariant(workflowId !== undefined && stepId !== undefined, "a step belongs to a workflow");
      const step = { db, tenantId, workflowId, stepId };
      // DBOS declares the function without arguments, but Purser passes the transaction.
      const run = work as unknown as (tx: Tx) => Promise<StepResult>;
      // The step waits while the database is unavailable. Otherwise the saga would fail.
      return (await retryWhileUnavailable(() => runOnce(step, run))) as never;
    },
    deleteCheckpoints: async (workflowId, fromStep, beforeCommit) => {
      if (beforeCommit === undefined) return deleteCompletions(db, workflowId, fromStep);
      await db.transaction().execute(async (tx) => {
        await deleteCompletions(tx, workflowId, fromStep);
        await beforeCommit();
      });
    },
  };
}

interface Step {
  readonly db: Db;
  readonly tenantId: TenantId;
  readonly workflowId: string;
  readonly stepId: number;
}

async function runOnce(step: Step, work: (tx: Tx) => Promise<StepResult>): Promise<StepResult> {
  const { db, tenantId, workflowId, stepId } = step;
  try {
    return await withTransaction(db, tenantId, async (tx) => {
      const result = await work(tx);
      const completion = { workflowId, stepId, output: JSON.stringify(result ?? null) };
      if (!(await insertCompletion(tx, completion))) {
        throw new DBOSStepAlreadyRecordedError(workflowId, stepId);
      }
      await assertStillOwnsWorkflow(workflowId);
      return result;
    });
  } catch (error) {
    // The step's changes have been rolled back. If the step was already completed, its stored result is returned. Steps
    // are rarely repeated, so the result is not looked up before the step runs.
    const completed = await withTransaction(db, tenantId, (tx) => findCompletion(tx, step));
    if (completed === undefined || error instanceof DBOSWorkflowConflictError) throw error;
    return JSON.parse(completed.output ?? "null") as StepResult;
  }
}
