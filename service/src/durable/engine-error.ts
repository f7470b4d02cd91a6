import { DBOSError } from "@dbos-inc/dbos-sdk/datasource";

/** Whether the error is one of the workflow engine, not of a step's own work. The caller must rethrow it unchanged. */
export function isEngineError(error: unknown): boolean {
  return error instanceof DBOSError;
}
