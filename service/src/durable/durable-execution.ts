import type { Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";

/** What a workflow is started with: ids only. It stands in the database in the clear, so it never holds a secret. */
export interface WorkflowInput {
  readonly tenantId: TenantId;
  readonly operationId: string;
}

/** What a step gives: a value that JSON can hold, and no secret. It stands in the database in the clear. */
export type StepResult = object | string | number | boolean | null;

/**
 * Throws where another process has taken the workflow over, which this one does not notice while it stands still. To be asked
 * right before what must not happen twice.
 */
export type AssertStillMine = () => Promise<void>;

/**
 * What a workflow may do. Each step is checkpointed under its name, in the order of the calls, and a workflow that is taken
 * up again gets the recorded result of every step that was done: so the sequence of steps must follow from the input and
 * from earlier results alone, never from the time or the environment.
 */
export interface DurableContext {
  /**
   * Null where `run` has just started the workflow. Otherwise it may have been left by an execution that died or stood still,
   * which has sent nothing outside for this long at least: what it had sent may still be on its way.
   */
  readonly abandonedForMs: number | null;
  /**
   * A step in the database. Its effect and its checkpoint are one transaction, so that it happens exactly once, whatever
   * dies. Waits for a database that is out of reach.
   */
  transaction<Result extends StepResult>(
    step: string,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result>;
  /** A step that reaches outside. It may happen again if the process dies before its checkpoint: `call` must stand that. */
  call<Result extends StepResult>(
    step: string,
    call: (assertStillMine: AssertStillMine) => Promise<Result>,
  ): Promise<Result>;
  /** Waits, across restarts too. */
  sleep(step: string, durationMs: number): Promise<void>;
  /** Lets whoever waits for this workflow go on, since what is left will take its time. */
  answerNow(): void;
}

export type DurableWorkflow = (context: DurableContext, input: WorkflowInput) => Promise<void>;

export interface DurableExecution {
  /** Registers the workflows, by the names under which they are stored, and takes up what this process left undone. */
  launch(workflows: Readonly<Record<string, DurableWorkflow>>): Promise<void>;
  /**
   * Starts a workflow in this process, under its operation's id: a second start of the same joins the first. Resolves when
   * it has ended, or said `answerNow`, or when `waitMs` have gone by; the workflow goes on all the same.
   */
  run(workflow: string, input: WorkflowInput, waitMs: number): Promise<void>;
  /** Renews this process's lease. Others take its workflows over when it has not done so for the lease's time. */
  renewLease(): Promise<void>;
  /** How often the lease is to be renewed. */
  readonly leaseRenewedEveryMs: number;
  /** Takes over the workflows of processes whose lease has run out. @returns how many */
  takeOver(): Promise<number>;
  /** Forgets these workflows with all that their steps gave, sealed secrets too. Those that are not there are forgotten. */
  forget(operationIds: readonly string[]): Promise<void>;
  /** Forgets the workflows that ended before `before`: the operations tell of them. @returns how many */
  forgetEnded(before: Date): Promise<number>;
  /** Stops, lets the steps under way end, and gives the lease up, so that others need not wait for its end. */
  close(): Promise<void>;
}
