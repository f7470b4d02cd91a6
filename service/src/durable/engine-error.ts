import { DBOSError } from "@dbos-inc/dbos-sdk/datasource";

/** Returns whether the workflow engine threw the error about the execution itself. Rethrow it unchanged. */
export function isEngineError(error: unknown): boolean {
  return error instanceof DBOSError;
}
