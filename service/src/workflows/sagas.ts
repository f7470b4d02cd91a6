import type { App } from "../app.ts";
import type { DurableWorkflow } from "../durable/durable-execution.ts";
import type { Saga } from "../operations/saga.ts";
import { addServiceSaga } from "./add-service/saga.ts";
import { deleteProjectSaga } from "./delete-project/saga.ts";
import { removeServiceSaga } from "./remove-service/saga.ts";
import { rotateServiceSaga } from "./rotate-service/saga.ts";
import { upgradeServiceSaga } from "./upgrade-service/saga.ts";

/** All sagas. The operation types, including those in the OpenAPI document, are derived from this list. */
export const sagas: readonly Saga[] = [
  addServiceSaga,
  rotateServiceSaga,
  upgradeServiceSaga,
  removeServiceSaga,
  deleteProjectSaga,
];

/** Returns each saga's workflow by its name, which is the operation type. */
export function workflowsOf(app: App, all: readonly Saga[]): Readonly<Record<string, DurableWorkflow>> {
  return Object.fromEntries(all.map(({ type, workflow }) => [type, workflow(app)]));
}
