import { isProjectInScope } from "../modules/projects/queries.ts";
import type { OperationKind } from "../operations/operation-kind.ts";

/**
 * Returns whether an API key that is bound to agents or projects can read the operation's project. Returns false for a
 * deleted project.
 */
export const canReadProject: OperationKind["canRead"] = async (db, reader, { projectId }) =>
  projectId !== null && (await isProjectInScope(db, { ...reader, projectId }));
