import type { App } from "../app.ts";
import type { DurableWorkflow } from "../durable/durable-execution.ts";
import type { Saga } from "../operations/saga.ts";
import { addServiceSaga } from "./add-service/add-service.ts";
import { deleteProjectSaga } from "./delete-project/delete-project.ts";
import { removeServiceSaga } from "./remove-service/remove-service.ts";
import { rotateServiceSaga } from "./rotate-service/rotate-service.ts";
import { upgradeServiceSaga } from "./upgrade-service/upgrade-service.ts";

/** All sagas. The operation types, including those in the OpenAPI document, are derived from this list. */
export const allSagas: readonly Saga[] = [
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
