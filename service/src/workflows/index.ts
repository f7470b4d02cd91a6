import type { App } from "../app.ts";
import type { DurableWorkflow } from "../durable/durable-execution.ts";
import { ADD_SERVICE, addServiceSaga } from "./add-service/saga.ts";

export { addService } from "./add-service/add-service.ts";
export { startForgottenOperations } from "./start-forgotten-operations.ts";

/** Every workflow by the name under which it is stored, which is its operation's type. */
export function workflowsOf(app: App): Readonly<Record<string, DurableWorkflow>> {
  return { [ADD_SERVICE]: addServiceSaga(app) };
}
