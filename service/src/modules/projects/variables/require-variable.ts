import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { Project } from "../queries.ts";
import { findVariable, type Variable } from "./queries.ts";

/** Returns a variable of a project that was found in the caller's scope. Throws `variable_not_found`. */
export async function requireVariable(tx: Tx, project: Project, name: string): Promise<Variable> {
  const variable = await findVariable(tx, project, name);
  if (variable !== undefined) return variable;
  throw new AppError("variable_not_found", {
    internal: `no variable ${name} in ${project.projectId}`,
  });
}
