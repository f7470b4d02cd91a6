import type { Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";

/** The input of a workflow: ids only. The database stores it unencrypted, so it must not contain a secret. */
export interface WorkflowInput {
  readonly tenantId: TenantId;
  readonly operationId: string;
}

/** The result of a step: a JSON value without secrets, because the database stores it unencrypted. */
export type StepResult = object | string | number | boolean | null;

/**
 * Throws if another process has taken over the workflow. Call it immediately before an action that must not happen
 * twice: a paused process does not notice a takeover.
 */
export type AssertStillOwned = () => Promise<void>;

/**
 * The steps that a workflow can run. Each step is checkpointed under its name, in the order of the calls. A workflow
 * that is continued gets the stored result of each completed step, so the sequence of steps must depend only on the
 * input and on earlier results, not on the time or the environment.
 */
export interface DurableContext {
  /**
   * Null if `run` has just started the workflow. Otherwise an earlier execution died or was paused, and it has called
   * no vendor for at least this long. Calls that it sent may still take effect.
   */
  readonly abandonedForMs: number | null;
  /**
   * Runs a database step. Its effect and its checkpoint are one transaction, so it takes effect exactly once. Waits
   * while the database is unavailable.
   */
  transaction<Result extends StepResult>(
    step: string,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Runs a step that calls a vendor. It is repeated if the process dies before the checkpoint, so `call` must be
   * repeatable.
   */
  call<Result extends StepResult>(
    step: string,
    call: (assertStillOwned: AssertStillOwned) => Promise<Result>,
  ): Promise<Result>;
  /** Waits. The time continues to count across restarts. */
  sleep(step: string, durationMs: number): Promise<void>;
  /** Lets the callers of `run` return before the workflow ends. */
  releaseCallers(): void;
}

export type DurableWorkflow = (context: DurableContext, input: WorkflowInput) => Promise<void>;

export interface DurableExecution {
  /** Registers the workflows by their stored names, and continues the workflows that this process left. */
  launch(workflows: Readonly<Record<string, DurableWorkflow>>): Promise<void>;
  /**
   * Starts a workflow in this process with the operation's id. A second start with the same id joins the first.
   * Resolves when the workflow has ended or calls `releaseCallers`, and at the latest after `waitMs`. The workflow
   * continues in any case.
   */
  run(workflow: string, input: WorkflowInput, waitMs: number): Promise<void>;
  /**
   * Renews this process's lease. Other processes take its workflows over if it is not renewed within the lease time.
   */
  renewLease(): Promise<void>;
  /** How often the lease must be renewed. */
  readonly leaseRenewedEveryMs: number;
  /** Takes over the workflows of processes whose lease has expired. Returns their number. */
  takeOverAbandonedWorkflows(): Promise<number>;
  /** Deletes workflows and the results of their steps, encrypted secrets included. Ignores unknown ids. */
  deleteWorkflows(operationIds: readonly string[]): Promise<void>;
  /** Deletes the workflows that ended before `before`. Their operations remain. Returns their number. */
  deleteEndedWorkflows(before: Date): Promise<number>;
  /** Waits for running steps, stops, and releases the lease so that other processes can continue immediately. */
  close(): Promise<void>;
}
