import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import { callVendor, operationErrorOf } from "./call-vendor.ts";
import { failOperation } from "./operations.ts";
import { observedStep, type Progress } from "./run-saga-steps.ts";
import { isNeeded, type SagaDefinition, type SagaRun, type VendorStep } from "./saga.ts";

/** The reason why a saga failed. */
export interface Failure {
  readonly error: OperationError;
  /** Whether a vendor call of the failed step may still take effect. */
  readonly mayStillHappen: boolean;
}

/**
 * Undoes the vendor steps first, because their resources cost money. The database steps are then undone in the
 * transaction that ends the operation. Both kinds of steps are undone in reverse order. Nothing is undone if the saga has
 * no `onFailed`, or if its state is final.
 */
export async function undoSaga<State extends object>(
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
