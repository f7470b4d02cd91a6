import type { App } from "../app.ts";
import { operationErrorOf, SagaFailure } from "./call-vendor.ts";
import { escalateToOperator } from "./operations.ts";
import { type OperationKey, operationRows } from "./queries.ts";
import { runRemainingSteps, startSaga } from "./run-saga-steps.ts";
import type { Saga, SagaDefinition } from "./saga.ts";
import { type Failure, undoSaga } from "./undo-saga.ts";

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
