import { DBOSError } from "@dbos-inc/dbos-sdk/datasource";

/**
 * Returns true for an error of the workflow engine, as opposed to an error in a step's own work. The caller must
 * rethrow an engine error unchanged.
 */
export function isEngineError(error: unknown): boolean {
  return error instanceof DBOSError;
}
