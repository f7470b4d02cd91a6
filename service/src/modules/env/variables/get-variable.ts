import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import type { ListedPage, Page } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { getProjectRow, type Project, type ProjectKey } from "../../projects/queries.ts";
import { findVariable, listVariablesOf, type Variable } from "./queries.ts";

/** Returns a variable without its value. Throws `project_not_found` or `variable_not_found`. */
export async function getVariable(
  app: Pick<App, "db">,
  { key, name }: { readonly key: ProjectKey; readonly name: string },
): Promise<Variable> {
  return withTransaction(app.db, key.tenantId, async (tx) => requireVariable(tx, await getProjectRow(tx, key), name));
}

/** Returns one page of a project's variables without their values, sorted by name. Throws `project_not_found`. */
export async function listVariables(
  app: Pick<App, "db">,
  key: ProjectKey,
  page: Page<string>,
): Promise<ListedPage<Variable>> {
  return withTransaction(app.db, key.tenantId, async (tx) => listVariablesOf(tx, await getProjectRow(tx, key), page));
}

/** Returns the project's variable with this name. Throws `variable_not_found`. */
export async function requireVariable(tx: Tx, project: Project, name: string): Promise<Variable> {
  const variable = await findVariable(tx, project, name);
  if (variable !== undefined) return variable;
  throw new AppError("variable_not_found", {
    internal: `${project.projectId} has no variable ${name}`,
  });
}
