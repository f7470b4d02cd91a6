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
 * Runs a workflow's database steps on our own pool, under our own walls. The effect and its checkpoint commit together; a
 * process that lost the workflow to another one, while it stood still, is stopped before it commits.
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
      // DBOS knows no arguments here; ours takes the transaction.
      const run = work as unknown as (tx: Tx) => Promise<StepResult>;
      // A saga does not fail because the database was away for a while: its step waits, and is then done once.
      return (await retryWhileUnavailable(() => runOnce(step, run))) as never;
    },
    deleteCheckpoints: async (workflowId, fromStep, beforeCommit) => {
      if (beforeCommit === undefined) return deleteCompletions(db, { workflowId, fromStep });
      await db.transaction().execute(async (tx) => {
        await deleteCompletions(tx, { workflowId, fromStep });
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
    // Asked for afterwards: that it was done before is the exception, and whatever it then fails on is undone with it.
    const known = await withTransaction(db, tenantId, (tx) => findCompletion(tx, step));
    if (known === undefined || error instanceof DBOSWorkflowConflictError) throw error;
    return JSON.parse(known.output ?? "null") as StepResult;
  }
}
