import type { App } from "../app.ts";
import { operationActor } from "../audit/actors.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import type { DurableContext } from "../durable/durable-execution.ts";
import { retryWhileUnavailable } from "../durable/retry-while-unavailable.ts";
import { AppError } from "../foundation/errors.ts";
import { invariant } from "../foundation/invariant.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { observed } from "../foundation/telemetry/activities.ts";
import { SagaFailure } from "./call-vendor.ts";
import { storedError } from "./operation-resource.ts";
import { succeedOperation } from "./operations.ts";
import {
  completeSteps,
  getOperationProgress,
  hasBegunUndoing,
  isOperationOf,
  type OperationKey,
  operationRows,
} from "./queries.ts";
import {
  type Commit,
  type DatabaseStep,
  isNeeded,
  REQUIRES_APPROVAL,
  type SagaDefinition,
  type SagaRun,
  type SagaStep,
} from "./saga.ts";

export interface Progress<State> {
  run: SagaRun<State>;
  /** The position of the next step. */
  next: number;
  /** The error of the step at `next`, or null if that step has not failed. */
  refused: OperationError | null;
  /**
   * The latest time at which an earlier execution of the saga may have called a vendor, as a value of
   * `performance.now()`. Null if there was no earlier execution.
   */
  readonly abandonedAtMs: number | null;
  /** The vendor steps that an operator has undone by hand. */
  readonly undoneByHand: readonly string[];
}

/** The result of a transaction. It is stored as a checkpoint from which a replay continues. */
interface CheckpointResult {
  readonly next: number;
  readonly refused: OperationError | null;
  /** True if the step at `next` waits for an approval. */
  readonly isWaiting?: true;
}

/**
 * Loads the state and runs the first database steps. Returns null if the operation has already ended, or if it waits.
 */
export async function startSaga<State extends object>(
  definition: SagaDefinition<State>,
  app: App,
  context: DurableContext,
  key: OperationKey,
): Promise<Progress<State> | null> {
  await retryWhileUnavailable(async () => definition.prepare?.(app, key));
  const start = await context.transaction("begin", async (tx) => {
    const { passedSteps: from, ...operation } = await getOperationProgress(tx, key);
    if (operation.status !== "running") return null;
    const loaded = {
      actor: operationActor(operation),
      state: await definition.load(tx, app, operation),
    };
    const { undoneByHand, error } = operation;
    if (hasBegunUndoing(operation)) {
      invariant(error !== null, "an operation that is undone has failed");
      return { ...loaded, undoneByHand, next: from, refused: error, isTakenUp: true };
    }
    const run = { app, context, key, lastCreation: { endedAtMs: null }, ...loaded };
    const result = await runDatabaseSteps(definition, tx, run, { from });
    // `from` is greater than 0 if the operation has waited after some of its steps.
    return { ...loaded, undoneByHand, ...result, isTakenUp: from > 0 };
  });
  if (start === null || ("isWaiting" in start && start.isWaiting)) return null;
  const { actor, state, undoneByHand, next, refused, isTakenUp } = start;
  const abandonedForMs = context.abandonedForMs ?? (isTakenUp ? 0 : null);
  const abandonedAtMs = abandonedForMs === null ? null : performance.now() - abandonedForMs;
  // What an operator lets run again may have called the vendor of the step that failed, in an earlier workflow.
  const continued = { ...context, abandonedForMs };
  const run = { app, context: continued, key, actor, state, lastCreation: { endedAtMs: abandonedAtMs } };
  return { run, next, refused, abandonedAtMs, undoneByHand };
}

/** Runs the remaining steps. Throws SagaFailure if a step fails; `progress.next` is then the position of that step. */
export async function runRemainingSteps<State extends object>(
  definition: SagaDefinition<State>,
  progress: Progress<State>,
): Promise<void> {
  if (progress.refused !== null) throw new SagaFailure(progress.refused);
  while (progress.next < definition.steps.length) {
    const at = progress.next;
    const step = definition.steps[at];
    // The next step is always a vendor step: database steps run in the transaction of the preceding vendor step or of
    // the saga's start.
    invariant(step?.kind === "vendor", `${definition.type}: step ${at} is a vendor step`);
    // An earlier execution may have requested this step's resource, but no later than `abandonedAtMs`.
    progress.run = { ...progress.run, lastCreation: { endedAtMs: progress.abandonedAtMs } };
    const run = () =>
      step.run(progress.run, async (work) => {
        Object.assign(progress, await commitVendorStep(definition, progress.run, { at, work }));
        if (progress.refused !== null) throw new SagaFailure(progress.refused);
      });
    await observedStep(definition, step, run);
    invariant(progress.next > at, `${definition.type}: ${step.name} commits`);
  }
}

async function commitVendorStep<State extends object>(
  definition: SagaDefinition<State>,
  run: SagaRun<State>,
  { at, work }: { readonly at: number; readonly work: Parameters<Commit<State>>[0] },
): Promise<CheckpointResult & { readonly run: SagaRun<State> }> {
  const name = definition.steps[at]?.name ?? "";
  const { change, ...result } = await run.context.transaction(name, async (tx) => {
    let change: Partial<State> = {};
    const refused = await rejectionOf(async () => {
      change = await work(tx);
    });
    if (refused !== null) return { change, next: at, refused };
    const changed = { ...run, state: { ...run.state, ...change } };
    const range = { from: at, done: at + 1 };
    const result = await runDatabaseSteps(definition, tx, changed, range);
    return { change, ...result };
  });
  return { ...result, run: { ...run, state: { ...run.state, ...change } } };
}

/** Runs the database steps from position `done` to the next vendor step. Ends the operation if no step is left. */
async function runDatabaseSteps<State extends object>(
  definition: SagaDefinition<State>,
  tx: Tx,
  run: SagaRun<State>,
  {
    from,
    done = from,
  }: {
    /** The position of the step whose status is `running`. */
    readonly from: number;
    readonly done?: number;
  },
): Promise<CheckpointResult> {
  const { steps } = definition;
  const { app, key, state } = run;
  const skipped: number[] = [];
  let outcome: StepOutcome = { refused: null, isWaiting: false };
  let next = done;
  for (const step of steps.slice(done, endOfDatabaseSteps(steps, state, done))) {
    if (step.kind === "vendor") skipped.push(next);
    else outcome = await observedStep(definition, step, () => runDatabaseStep(step, tx, run));
    if (outcome.refused !== null || outcome.isWaiting) break;
    next += 1;
  }
  const { refused, isWaiting } = outcome;
  const at = app.clock.now();
  if (next > from) await completeSteps(tx, key, { from, next, skipped, at });
  if (next === steps.length) await succeedOperation(tx, app, key);
  if (!isWaiting) return { next, refused };
  await operationRows.update(tx, key, { status: REQUIRES_APPROVAL, updatedAt: at });
  return { next, refused, isWaiting };
}

/** Runs a step, or undoes it, and lets observers see it. */
export function observedStep<Result>(
  { type }: Pick<SagaDefinition<object>, "type">,
  { name }: Pick<SagaStep<never>, "name">,
  run: () => Promise<Result>,
): Promise<Result> {
  return observed({ kind: "saga step", name: `${type} ${name}`, facts: {} }, run);
}

/** Returns the position of the next vendor step that runs, or undefined if there is none. */
function endOfDatabaseSteps<State>(steps: readonly SagaStep<State>[], state: State, from: number): number | undefined {
  const end = steps.findIndex((step, at) => at >= from && step.kind === "vendor" && isNeeded(step, state));
  return end === -1 ? undefined : end;
}

interface StepOutcome {
  readonly refused: OperationError | null;
  readonly isWaiting: boolean;
}

async function runDatabaseStep<State>(step: DatabaseStep<State>, tx: Tx, run: SagaRun<State>): Promise<StepOutcome> {
  let isWaiting = false;
  const refused = await rejectionOf(async () => {
    isWaiting = (await step.run?.(tx, run)) === REQUIRES_APPROVAL;
  });
  return { refused, isWaiting };
}

/**
 * If `work` throws an AppError with a status below 500, returns the error, so that the transaction is still committed.
 * Rethrows other errors, so that the transaction is rolled back.
 */
async function rejectionOf(work: () => Promise<void>): Promise<OperationError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return storedError(error);
  }
}

/**
 * Starts an operation's workflow and waits for at most `waitMs`. Logs errors instead of throwing them: the operation is
 * already stored, and a background job later starts a workflow that could not be started here. If this process cannot call
 * the operation's providers, only waits: the job of another process starts the workflow.
 */
export async function runOperation(
  { db, durable, log, providers, settings }: Pick<App, "db" | "durable" | "log" | "providers" | "settings">,
  workflow: string,
  input: OperationKey,
  waitMs = settings.syncWaitMs,
): Promise<void> {
  try {
    const isAble = await isOperationOf(db, input, [...providers.keys()]);
    if (isAble) await durable.run(workflow, input, waitMs);
    else await durable.wait(input.operationId, waitMs);
  } catch (error) {
    const message = redactedMessage(error);
    log.error({ operation: input.operationId, message }, "could not start the operation or wait for its result");
  }
}
