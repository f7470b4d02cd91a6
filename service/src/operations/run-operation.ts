import type { App } from "../app.ts";
import type { WorkflowInput } from "../durable/durable-execution.ts";
import { redactedMessage } from "../foundation/redact.ts";

/**
 * Starts an operation's workflow, and waits for as long as a caller may be kept. The operation is written down already: one
 * that cannot be started here is started by a job a little later, so this does not fail.
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
    log.error({ operation: input.operationId, message }, "an operation could not be started");
  }
}
