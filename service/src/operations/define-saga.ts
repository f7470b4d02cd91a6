import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import { callVendor, operationErrorOf, SagaFailure } from "./call-vendor.ts";
import { escalateToOperator, failOperation } from "./operations.ts";
import { type OperationKey, operationRows } from "./queries.ts";
import { observedStep, type Progress, runRemainingSteps, startSaga } from "./run-saga-steps.ts";
import { isNeeded, type Saga, type SagaDefinition, type SagaRun, type VendorStep } from "./saga.ts";

/**
 * Builds a saga from its steps. One transaction stores a step's result, its status in the operation and its checkpoint.
 */
export function defineSaga<State extends object>(definition: SagaDefinition<State>): Saga {
  const { type, readScope, canRead, steps } = definition;
  const escalate: Saga["escalateToOperator"] = async (tx, app, key, error, stuckStep = null) => {
    const operation = await operationRows.get(tx, key);
    await definition.onEscalated?.(tx, app, operation);
    await escalateToOperator(tx, app, operation, { error, stuckStep });
  };
  return {
    ...{ type, readScope, canRead, escalateToOperator: escalate },
    stepNames: steps.map(({ name }) => name),
    workflow: (app) => async (context, input) => {
      const key = input as OperationKey;
      const progress = await startSaga(definition, app, context, key);
      if (progress === null) return;
      const failure = await failureOf(app, key, () => runRemainingSteps(definition, progress));
      if (failure === null) return;
      const { isUndone, stuckStep } = await undoSaga(definition, progress, failure);
      if (isUndone) return;
      const { error } = failure;
      await context.transaction("needs_operator", async (tx) => {
        await escalate(tx, app, key, error, stuckStep);
        return null;
      });
      app.log.error(
        { operation: key.operationId, code: error.code },
        "operation failed and was not undone: operator action required",
      );
    },
  };
}

async function failureOf(app: App, key: OperationKey, work: () => Promise<void>): Promise<Failure | null> {
  try {
    await work();
    return null;
  } catch (thrown) {
    const mayStillHappen = thrown instanceof SagaFailure && thrown.mayHaveHappened;
    return { error: operationErrorOf(app, key, thrown), mayStillHappen };
  }
}

/** The reason why a saga failed. */
interface Failure {
  readonly error: OperationError;
  /** Whether a vendor call of the failed step may still take effect. */
  readonly mayStillHappen: boolean;
}

/**
 * Undoes the vendor steps first, because their resources cost money. The database steps are then undone in the
 * transaction that ends the operation. Both kinds of steps are undone in reverse order. Nothing is undone if the saga has
 * no `onFailed`, or if its state is final.
 */
async function undoSaga<State extends object>(
  definition: SagaDefinition<State>,
  progress: Progress<State>,
  failure: Failure,
): Promise<{
  readonly isUndone: boolean;
  /** The vendor step that cannot be undone, or null. */
  readonly stuckStep: string | null;
}> {
  const { onFailed } = definition;
  const { app, context, key, state } = progress.run;
  if (onFailed === undefined || definition.isFinal?.(state, failure)) return { isUndone: false, stuckStep: null };
  const stuckStep = await undoAtVendors(definition, progress, failure);
  if (stuckStep !== null) return { isUndone: false, stuckStep };
  const { error } = failure;
  await context.transaction("undo", async (tx) => {
    const undone = await undoInDatabase(definition, tx, progress);
    await failOperation(tx, app, key, { error, undone });
    await onFailed(tx, progress.run, { error, undone });
    return null;
  });
  return { isUndone: true, stuckStep: null };
}

/** Undoes the vendor steps, except those that an operator has undone by hand. Returns the one that cannot be undone, or null. */
async function undoAtVendors<State extends object>(
  definition: SagaDefinition<State>,
  { run, next, undoneByHand }: Progress<State>,
  { mayStillHappen }: Failure,
): Promise<string | null> {
  for (const [at, step] of inReverse(definition.steps.slice(0, next + 1))) {
    if (step.kind !== "vendor" || !isNeeded(step, run.state) || undoneByHand.includes(step.name)) continue;
    try {
      const effect = {
        mayHaveEffect: at < next || run.lastCreation.endedAtMs !== null,
        mayStillHappen: at === next && mayStillHappen,
      };
      await observedStep(definition, { name: `undo ${step.name}` }, () => undoStep(run, step, effect));
    } catch (undoError) {
      const { code } = operationErrorOf(run.app, run.key, undoError);
      run.app.log.error({ operation: run.key.operationId, code }, "could not undo the operation's vendor calls");
      return step.name;
    }
  }
  return null;
}

async function undoStep<State>(
  run: SagaRun<State>,
  { name, undo }: VendorStep<State>,
  effect: { readonly mayHaveEffect: boolean; readonly mayStillHappen: boolean },
): Promise<void> {
  if (undo === undefined) return;
  const step = `undo ${name}`;
  // If the step had no effect, there is nothing to undo. The vendor is then not called, because the call could fail for
  // the same reason as the step, for example missing access.
  const undoOnce = async () => (effect.mayHaveEffect ? undo(run) : null);
  await callVendor(run, step, undoOnce, { patience: "long" });
  if (!effect.mayStillHappen) return;
  // The vendor may still execute a call to which it has not responded. After the pause, such a call can no longer take
  // effect, so the step is then undone again.
  await run.context.sleep(step, run.app.settings.vendorSettleMs);
  await callVendor(run, step, undoOnce, { patience: "long" });
}

/** Undoes the database steps. Returns the names of all undone steps, including vendor steps, in step order. */
async function undoInDatabase<State extends object>(
  { steps }: SagaDefinition<State>,
  tx: Tx,
  { run, next }: Progress<State>,
): Promise<string[]> {
  const undone: string[] = [];
  for (const [, step] of inReverse(steps.slice(0, next))) {
    const isUndone =
      step.kind === "database" ? await step.undo?.(tx, run) : step.undo !== undefined && isNeeded(step, run.state);
    if (isUndone) undone.unshift(step.name);
  }
  return undone;
}

function inReverse<Item>(items: readonly Item[]): [number, Item][] {
  return [...items.entries()].toReversed();
}
