import type { App } from "../app.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { isOperationOf, type OperationKey } from "./queries.ts";

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
