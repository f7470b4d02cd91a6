import { isProjectInScope } from "../modules/projects/index.ts";
import type { OperationKind } from "../operations/operation-kind.ts";

/** Returns whether a bound key may read the operation's project. No bound key may read a deleted project. */
export const isProjectWithinReach: OperationKind["isReached"] = async (db, reader, { projectId }) =>
  projectId !== null && (await isProjectInScope(db, { ...reader, projectId }));
