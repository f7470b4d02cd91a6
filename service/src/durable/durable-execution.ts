import { DBOSError } from "@dbos-inc/dbos-sdk/datasource";
import type { Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";

/** A workflow's input. It contains only ids, because the database stores it unencrypted. */
export interface WorkflowInput {
  readonly tenantId: TenantId;
  readonly operationId: string;
}

/** A step's result: a JSON value without plain-text secrets, because the database stores it unencrypted. */
export type StepResult = object | string | number | boolean | null;

/**
 * Throws if another process has taken over the workflow. Call it immediately before an action that must not happen
 * twice, because a paused process does not notice a takeover.
 */
export type AssertStillOwned = () => Promise<void>;

/**
 * Runs a workflow's steps. Each step is checkpointed under its name, in the order of the calls. A resumed workflow gets
 * the stored result of each completed step, so the sequence of steps must depend only on the input and on earlier
 * results, not on the time or the environment.
 */
export interface DurableContext {
  /**
   * Null if `run` has just started the workflow. Otherwise an earlier execution crashed or was paused. That execution
   * has made no vendor call for at least this many milliseconds, but a call that it made before may still take effect.
   */
  readonly abandonedForMs: number | null;
  /**
   * Runs a database step. Its changes and its checkpoint are committed together, so it takes effect exactly once. Waits
   * while the database is unavailable.
   */
  transaction<Result extends StepResult>(step: string, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Runs a step that calls a vendor. The step is repeated if the process dies before the checkpoint, and while `call`
   * throws `service_unavailable`, so `call` must be safe to repeat.
   */
  call<Result extends StepResult>(
    step: string,
    call: (assertStillOwned: AssertStillOwned) => Promise<Result>,
  ): Promise<Result>;
  /** Waits for `durationMs`, including any time during which the process is not running. */
  sleep(step: string, durationMs: number): Promise<void>;
  /** Lets the callers of `run` return before the workflow ends. */
  releaseCallers(): void;
}

export type DurableWorkflow = (context: DurableContext, input: WorkflowInput) => Promise<void>;

export interface DurableExecution {
  /** Registers the workflows under their names in the database, and resumes this process's unfinished workflows. */
  launch(workflows: Readonly<Record<string, DurableWorkflow>>): Promise<void>;
  /**
   * Starts a workflow in this process with the operation's id. A second start with the same id joins the first.
   * Resolves when the workflow ends, when it calls `releaseCallers`, or after `waitMs`. The workflow continues in any
   * case.
   */
  run(workflow: string, input: WorkflowInput, waitMs: number): Promise<void>;
  /** Waits for at most `waitMs` until a workflow ends that another process runs or will start. */
  wait(operationId: string, waitMs: number): Promise<void>;
  /** Renews this process's lease. If the lease expires, other processes take over its workflows. */
  renewLease(): Promise<void>;
  /** How often the lease must be renewed, in milliseconds. */
  readonly leaseRenewedEveryMs: number;
  /** Takes over the workflows of processes whose lease has expired. Returns the number of workflows. */
  takeOverAbandonedWorkflows(): Promise<number>;
  /** Deletes workflows and their step results, including encrypted secrets in the results. Ignores unknown ids. */
  deleteWorkflows(operationIds: readonly string[]): Promise<void>;
  /**
   * Deletes the workflows that ended before `before`, but not their operations. Returns the number of deleted
   * workflows.
   */
  deleteEndedWorkflows(before: Date): Promise<number>;
  /** Waits for running steps, stops, and releases the lease so that other processes can take over immediately. */
  close(): Promise<void>;
}

/**
 * Returns true for an error of the workflow engine, as opposed to an error in a step's own work. The caller must
 * rethrow an engine error unchanged.
 */
export function isEngineError(error: unknown): boolean {
  return error instanceof DBOSError;
}
