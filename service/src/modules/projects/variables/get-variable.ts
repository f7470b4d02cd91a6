import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { getProjectRow, type ProjectKey } from "../queries.ts";
import type { Variable } from "./queries.ts";
import { requireVariable } from "./require-variable.ts";

/** Returns a variable without its value. Throws `project_not_found` or `variable_not_found`. */
export async function getVariable(
  app: Pick<App, "db">,
  { key, name }: { readonly key: ProjectKey; readonly name: string },
): Promise<Variable> {
  return withTransaction(app.db, key.tenantId, async (tx) => requireVariable(tx, await getProjectRow(tx, key), name));
}
