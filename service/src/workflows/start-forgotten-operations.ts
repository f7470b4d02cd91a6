import type { App } from "../app.ts";
import { redact } from "../foundation/redact.ts";
import { type FoundOperation, listUnbegunOperations } from "../modules/projects/index.ts";

/** By then whoever wrote the operation down has started it, or never will. */
const FORGOTTEN_AFTER_MS = 3_000;
const AT_ONCE_MAX = 100;

/** Starts the operations whose process died between writing them down and starting them. */
export async function startForgottenOperations(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - FORGOTTEN_AFTER_MS);
  const forgotten = await listUnbegunOperations(app.db, { before, limit: AT_ONCE_MAX });
  await Promise.all(forgotten.map((operation) => start(app, operation)));
}

async function start(app: App, { type, ...input }: FoundOperation): Promise<void> {
  try {
    await app.durable.run(type, input, 0);
  } catch (error) {
    const message = redact(error instanceof Error ? error.message : String(error));
    const operation = input.operationId;
    app.log.error({ operation, message }, "an operation could not be started");
  }
}
