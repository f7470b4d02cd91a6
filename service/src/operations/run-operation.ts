import type { App } from "../app.ts";
import type { WorkflowInput } from "../durable/durable-execution.ts";
import { redactedMessage } from "../foundation/redact.ts";

/**
 * Starts an operation's workflow and waits for at most `waitMs`. Logs errors instead of throwing them: the operation is
 * already stored, and a background job later starts a workflow that could not be started here.
 */
export async function runOperation(
  { durable, log, settings }: Pick<App, "durable" | "log" | "settings">,
  workflow: string,
  input: WorkflowInput,
  waitMs = settings.syncWaitMs,
): Promise<void> {
  try {
    await durable.run(workflow, input, waitMs);
  } catch (error) {
    const message = redactedMessage(error);
    log.error(
      { operation: input.operationId, message },
      "could not start the operation or wait for its result",
    );
  }
}
