import type { App } from "../app.ts";
import type { DurableWorkflow } from "../durable/durable-execution.ts";
import type { Saga } from "../operations/saga.ts";
import { addServiceSaga } from "./add-service/saga.ts";
import { deleteProjectSaga } from "./delete-project/saga.ts";
import { removeServiceSaga } from "./remove-service/saga.ts";

/** All kinds of long work. What operations there are, and who may read them, follows from this list. */
export const sagas: readonly Saga[] = [addServiceSaga, removeServiceSaga, deleteProjectSaga];

/** Their workflows, by the names under which they are stored, which are their operations' types. */
export function workflowsOf(
  app: App,
  all: readonly Saga[],
): Readonly<Record<string, DurableWorkflow>> {
  return Object.fromEntries(all.map(({ type, workflow }) => [type, workflow(app)]));
}
