import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { getProjectRow, type ProjectKey } from "../queries.ts";
import { listVariableRows, type Variable } from "./queries.ts";

export interface ListVariables {
  readonly key: ProjectKey;
  /** The last name on the previous page, or undefined for the first page. */
  readonly afterName: string | undefined;
  readonly limit: number;
}

/** Returns one page of a project's variables without their values, sorted by name. Throws `project_not_found`. */
export async function listVariables(
  app: Pick<App, "db">,
  { key, afterName = "", limit }: ListVariables,
): Promise<{ readonly variables: readonly Variable[]; readonly hasMore: boolean }> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await getProjectRow(tx, key);
    const rows = await listVariableRows(tx, project, { afterName, limit: limit + 1 });
    return { variables: rows.slice(0, limit), hasMore: rows.length > limit };
  });
}
