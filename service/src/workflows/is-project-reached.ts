import { isProjectInScope } from "../modules/projects/index.ts";
import type { OperationKind } from "../operations/operation-kind.ts";

/** Whether a bound key reaches the project that an operation belongs to. One that was deleted is reached by none. */
export const isProjectReached: OperationKind["isReached"] = async (db, reader, { projectId }) =>
  projectId !== null && (await isProjectInScope(db, { ...reader, projectId }));
