import { DBOSError } from "@dbos-inc/dbos-sdk/datasource";

/** Whether an error is about the execution of a workflow and not about its work: it must reach the engine as it is. */
export function isEngineError(error: unknown): boolean {
  return error instanceof DBOSError;
}
