import type { App } from "../app.ts";
import { operationActor } from "../audit/actors.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import type { DurableContext } from "../durable/durable-execution.ts";
import { AppError } from "../foundation/errors.ts";
import { invariant } from "../foundation/invariant.ts";
import { SagaFailure } from "./ask-vendor.ts";
import { succeedOperation } from "./end-operation.ts";
import { getBegunOperation, type OperationKey, passSteps } from "./queries.ts";
import { type Commit, isNeeded, type SagaDefinition, type SagaRun } from "./saga.ts";

/** How far a run has come. */
export interface Progress<State> {
  run: SagaRun<State>;
  /** The position of the step whose turn it is. */
  next: number;
  /** Why that step refused, where it did. */
  refused: OperationError | null;
  /** By `performance.now()`: when an execution before this one may last have sent something. Null: there was none. */
  readonly abandonedAtMs: number | null;
}

/** What a checkpoint gives, from which every later execution goes on in the same way. */
interface Passed {
  readonly next: number;
  readonly refused: OperationError | null;
}

/** Passes the saga's first database steps. Gives null for an operation that has ended: nothing is left to be done. */
export async function beginSaga<State extends object>(
  definition: SagaDefinition<State>,
  app: App,
  context: DurableContext,
  key: OperationKey,
): Promise<Progress<State> | null> {
  const begun = await context.transaction("begin", async (tx) => {
    const { passedSteps: from, ...operation } = await getBegunOperation(tx, key);
    if (operation.status !== "running") return null;
    const given = {
      actor: operationActor(operation),
      state: await definition.load(tx, app, operation),
    };
    const run = { app, context, key, lastOrder: { givenUpAtMs: null }, ...given };
    const passed = await passDatabaseSteps(definition, tx, run, { from });
    // What an older version of the saga has begun is taken up where that has left it.
    return { ...given, ...passed, isTakenUp: from > 0 };
  });
  if (begun === null) return null;
  const { actor, state, next, refused, isTakenUp } = begun;
  const abandonedForMs = context.abandonedForMs ?? (isTakenUp ? 0 : null);
  const abandonedAtMs = abandonedForMs === null ? null : performance.now() - abandonedForMs;
  const run = { app, context, key, actor, state, lastOrder: { givenUpAtMs: null } };
  return { run, next, refused, abandonedAtMs };
}

/** Goes through the steps that are left, or throws a SagaFailure: then `next` is the step that failed. */
export async function goOn<State extends object>(
  definition: SagaDefinition<State>,
  progress: Progress<State>,
): Promise<void> {
  if (progress.refused !== null) throw new SagaFailure(progress.refused);
  while (progress.next < definition.steps.length) {
    const at = progress.next;
    const step = definition.steps[at];
    // Database steps are passed with the checkpoint before them.
    invariant(step?.kind === "vendor", `${definition.type}: step ${at} is a vendor's`);
    // An execution before this one may have ordered, and nobody knows any more.
    progress.run = { ...progress.run, lastOrder: { givenUpAtMs: progress.abandonedAtMs } };
    await step.run(progress.run, async (work) => {
      Object.assign(progress, await commitVendorStep(definition, progress.run, { at, work }));
      if (progress.refused !== null) throw new SagaFailure(progress.refused);
    });
    invariant(progress.next > at, `${definition.type}: ${step.name} commits`);
  }
}

async function commitVendorStep<State extends object>(
  definition: SagaDefinition<State>,
  run: SagaRun<State>,
  { at, work }: { readonly at: number; readonly work: Parameters<Commit<State>>[0] },
): Promise<Passed & { readonly run: SagaRun<State> }> {
  const name = definition.steps[at]?.name ?? "";
  const { change, ...passed } = await run.context.transaction(name, async (tx) => {
    let change: Partial<State> = {};
    const refused = await refusalOf(async () => {
      change = await work(tx);
    });
    if (refused !== null) return { change, next: at, refused };
    const changed = { ...run, state: { ...run.state, ...change } };
    const marked = { from: at, done: at + 1 };
    return { change, ...(await passDatabaseSteps(definition, tx, changed, marked)) };
  });
  return { ...passed, run: { ...run, state: { ...run.state, ...change } } };
}

/** Passes the database steps from `done` on until a vendor's turn comes, and ends the operation after the last step. */
async function passDatabaseSteps<State extends object>(
  { steps }: SagaDefinition<State>,
  tx: Tx,
  run: SagaRun<State>,
  {
    from,
    done = from,
  }: {
    /** The step that is marked as the one that runs. */
    readonly from: number;
    readonly done?: number;
  },
): Promise<Passed> {
  const { app, key, state } = run;
  const skipped: number[] = [];
  let refused: OperationError | null = null;
  let next = done;
  for (const step of steps.slice(done)) {
    if (step.kind === "vendor" && isNeeded(step, state)) break;
    if (step.kind === "vendor") skipped.push(next);
    else refused = await refusalOf(async () => step.run?.(tx, run));
    if (refused !== null) break;
    next += 1;
  }
  if (next > from) await passSteps(tx, key, { from, next, skipped, at: app.clock.now() });
  if (next === steps.length) await succeedOperation(tx, app, key);
  return { next, refused };
}

/** What refuses is a result like any other: a thrown error would undo the step's own checkpoint with it. */
async function refusalOf(work: () => Promise<void>): Promise<OperationError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { code: error.code, detail: error.message };
  }
}
