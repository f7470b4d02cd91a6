import type { App } from "../../../app.ts";
import { getProjectRow, type ProjectKey } from "../queries.ts";
import { type Charge, listChargeRows } from "./queries.ts";

export interface ListCharges {
  readonly key: ProjectKey;
  /** The last charge on the previous page, or undefined for the first page. */
  readonly afterChargeId: string | undefined;
  readonly limit: number;
  /** The start of the month of the charges. Undefined: all months. */
  readonly periodStart: Date | undefined;
  /** Undefined: all providers. */
  readonly provider: string | undefined;
}

/** Returns one page of the project's charges, newest first. Throws `project_not_found`. */
export async function listCharges(
  app: Pick<App, "db">,
  { key, afterChargeId: after, limit, ...filter }: ListCharges,
): Promise<{ readonly items: readonly Charge[]; readonly hasMore: boolean }> {
  const project = await getProjectRow(app.db, key);
  const rows = await listChargeRows(app.db, project, { after, limit: limit + 1, ...filter });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
