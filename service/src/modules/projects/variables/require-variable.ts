import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { Project } from "../queries.ts";
import { findVariable, type Variable } from "./queries.ts";

/** Returns the project's variable with this name. Throws `variable_not_found`. */
export async function requireVariable(tx: Tx, project: Project, name: string): Promise<Variable> {
  const variable = await findVariable(tx, project, name);
  if (variable !== undefined) return variable;
  throw new AppError("variable_not_found", {
    internal: `${project.projectId} has no variable ${name}`,
  });
}
