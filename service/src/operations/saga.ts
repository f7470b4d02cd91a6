import type { App } from "../app.ts";
import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import type { DurableContext, DurableWorkflow } from "../durable/durable-execution.ts";
import type { OperationKind } from "./operation-kind.ts";
import type { OperationKey, OperationRow } from "./queries.ts";

/**
 * One run of a saga. `State` is the data that its steps share. It must be JSON without secrets, because checkpoints
 * store it unencrypted.
 */
export interface SagaRun<State> {
  readonly app: App;
  readonly context: DurableContext;
  readonly key: OperationKey;
  /** The actor of the audit entries that the steps write. */
  readonly actor: Actor;
  readonly state: State;
  /** The current vendor step's last request to create a resource, in this or an earlier execution of the saga. */
  readonly lastCreation: {
    /**
     * The time at which the request ended, as a value of `performance.now()`. While the request is running, the time at
     * which it started. Null if there was no request.
     */
    endedAtMs: number | null;
  };
}

/** Returned by a database step that has opened an approval for the saga's subject. */
export const REQUIRES_APPROVAL = "requires_approval";

/**
 * A step that writes only to Purser's database. Consecutive database steps share one transaction and one checkpoint.
 * Database steps that follow a vendor step run in the transaction of its `commit`. An `AppError` with a status below
 * 500 ends the saga, but the step's earlier writes are still committed.
 *
 * A step before the first vendor step can return `REQUIRES_APPROVAL`. The operation then has this status and no
 * workflow, until `resumeOperation` lets it start again with its first step.
 */
export interface DatabaseStep<State> {
  readonly kind: "database";
  readonly name: string;
  /** Undefined if an earlier step does this step's work. */
  readonly run?: (tx: Tx, run: SagaRun<State>) => Promise<void> | Promise<typeof REQUIRES_APPROVAL | undefined>;
  /** Undoes the step in the transaction that ends the saga. Returns whether there was anything to undo. */
  readonly undo?: ((tx: Tx, run: SagaRun<State>) => Promise<boolean>) | undefined;
}

/**
 * Commits the result of a vendor step. `work` returns changes to the state. Must be called once, at the end of the
 * step.
 */
export type Commit<State> = (work: (tx: Tx) => Promise<Partial<State>>) => Promise<void>;

/**
 * A step that calls vendors through `callVendor`, which retries the calls. It must not call vendors within a
 * transaction.
 */
export interface VendorStep<State> {
  readonly kind: "vendor";
  readonly name: string;
  readonly run: (run: SagaRun<State>, commit: Commit<State>) => Promise<void>;
  /** Returns false to skip the step. Default: the step always runs. */
  readonly isNeeded?: ((state: State) => boolean) | undefined;
  /**
   * Undoes the step at the vendor. Must be idempotent, and must succeed if the step had no effect. Tried up to
   * `vendorAttempts.long` times.
   */
  readonly undo?: ((run: SagaRun<State>) => Promise<null>) | undefined;
}

export type SagaStep<State> = DatabaseStep<State> | VendorStep<State>;

export interface SagaDefinition<State extends object> extends Pick<OperationKind, "type" | "readScope" | "canRead"> {
  readonly steps: readonly SagaStep<State>[];
  /** Runs before the first steps, outside their transaction, each time that the saga starts. */
  readonly prepare?: (app: App, key: OperationKey) => Promise<void>;
  /** Loads the state. Runs in the same transaction as the first steps. */
  readonly load: (tx: Tx, app: App, operation: OperationRow) => Promise<State>;
  /**
   * Called in the transaction that ends the saga, after its steps were undone. If undefined, no step is undone, and a
   * failed operation becomes `needs_operator`.
   */
  readonly onFailed?: (
    tx: Tx,
    run: SagaRun<State>,
    failure: {
      readonly error: OperationError;
      readonly undone: readonly string[];
    },
  ) => Promise<void>;
  /** Returns true if a failed operation must not be undone. It then becomes `needs_operator`. Default: never. */
  readonly isFinal?: (state: State, failure: { readonly mayStillHappen: boolean }) => boolean;
  /** Called in the transaction that sets the operation to `needs_operator`. */
  readonly onEscalated?: (tx: Tx, app: Pick<App, "clock">, operation: OperationRow) => Promise<void>;
}

/**
 * An operation type with its workflow. Every saga ends, even if its process crashes: it succeeds, is undone, or becomes
 * `needs_operator`.
 */
export interface Saga extends OperationKind {
  readonly workflow: (app: App) => DurableWorkflow;
}

export function databaseStep<State>(
  name: string,
  run?: DatabaseStep<State>["run"],
  { undo }: Pick<DatabaseStep<State>, "undo"> = {},
): DatabaseStep<State> {
  return { kind: "database", name, ...(run === undefined ? {} : { run }), undo };
}

export function vendorStep<State>(
  name: string,
  run: VendorStep<State>["run"],
  { isNeeded, undo }: Pick<VendorStep<State>, "isNeeded" | "undo"> = {},
): VendorStep<State> {
  return { kind: "vendor", name, run, isNeeded, undo };
}

/** Returns whether the vendor step runs for this state. */
export function isNeeded<State>(step: VendorStep<State>, state: State): boolean {
  return step.isNeeded?.(state) ?? true;
}
