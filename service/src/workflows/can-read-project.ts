import { isProjectInScope } from "../modules/projects/index.ts";
import type { OperationKind } from "../operations/operation-kind.ts";

/** Returns whether a bound key can read the operation's project. No bound key can read a deleted project. */
export const canReadProject: OperationKind["canRead"] = async (db, reader, { projectId }) =>
  projectId !== null && (await isProjectInScope(db, { ...reader, projectId }));
