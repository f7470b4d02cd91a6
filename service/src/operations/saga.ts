import type { App } from "../app.ts";
import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import type { DurableContext, DurableWorkflow } from "../durable/durable-execution.ts";
import type { OperationKind } from "./operation-kind.ts";
import type { OperationKey, OperationRow } from "./queries.ts";

/**
 * One run of a saga. `State` is what its steps have to know: ids and words that JSON can hold, and no secret, since it
 * stands in the database in the clear.
 */
export interface SagaRun<State> {
  readonly app: App;
  readonly context: DurableContext;
  readonly key: OperationKey;
  /** In whose name the steps write. */
  readonly actor: Actor;
  readonly state: State;
  /** Of the vendor step whose turn it is: what may have come of it so far. */
  readonly lastOrder: {
    /**
     * When its answer was last given up, by `performance.now()`, by an execution before this one at the latest then; or when
     * it was sent, until there is an answer. Null: nothing was ordered.
     */
    givenUpAtMs: number | null;
  };
}

/**
 * A step in our database. Its neighbours of the same kind are done in the same transaction, under one checkpoint; so is a
 * vendor step's `commit` with those that follow it. An `AppError` below 500 refuses: it ends the saga, and what the step has
 * written before is kept.
 */
export interface DatabaseStep<State> {
  readonly kind: "database";
  readonly name: string;
  /** Absent: the step before does its work too. */
  readonly run?: (tx: Tx, run: SagaRun<State>) => Promise<void>;
  /** Undoes it, in the transaction that ends the saga. Gives whether there was anything to undo. */
  readonly undo?: ((tx: Tx, run: SagaRun<State>) => Promise<boolean>) | undefined;
}

/**
 * Ends a vendor step with the transaction that writes down what came of it, and gives what later steps have to know of it.
 * To be called once, at its end.
 */
export type Commit<State> = (work: (tx: Tx) => Promise<Partial<State>>) => Promise<void>;

/** A step that reaches outside: vendors by `askVendor`, which repeats what failed, and nothing within a transaction. */
export interface VendorStep<State> {
  readonly kind: "vendor";
  readonly name: string;
  readonly run: (run: SagaRun<State>, commit: Commit<State>) => Promise<void>;
  /** Whether there is anything to do. Absent: there is. A step that is not needed is skipped. */
  readonly isNeeded?: ((state: State) => boolean) | undefined;
  /**
   * Undoes it at the vendor, whether or not its effect has come to be: looks first, and may be made any number of times.
   * Asked again, much more patiently than the step itself, until it is done.
   */
  readonly undo?: ((run: SagaRun<State>) => Promise<null>) | undefined;
}

export type SagaStep<State> = DatabaseStep<State> | VendorStep<State>;

export interface SagaDefinition<State extends object>
  extends Pick<OperationKind, "type" | "readScope" | "isReached"> {
  readonly steps: readonly SagaStep<State>[];
  /** Reads what the steps have to know, in the transaction of the first ones. */
  readonly load: (tx: Tx, app: App, operation: OperationRow) => Promise<State>;
  /**
   * Tells in the transaction that ends the saga that it came to nothing, with the names of the steps that were undone.
   * Absent: nothing is undone, and whatever goes wrong is left to a person.
   */
  readonly failed?: (
    tx: Tx,
    run: SagaRun<State>,
    failure: { readonly error: OperationError; readonly undone: readonly string[] },
  ) => Promise<void>;
  /** What else becomes of its subject where the operation is left to a person. */
  readonly leftToOperator?: (
    tx: Tx,
    app: Pick<App, "clock">,
    operation: OperationRow,
  ) => Promise<void>;
}

/** A kind of long work that ends whatever dies meanwhile: done, or undone, or with a person told. */
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

/** Whether a vendor's step has anything to do. */
export function isNeeded<State>(step: VendorStep<State>, state: State): boolean {
  return step.isNeeded?.(state) ?? true;
}
