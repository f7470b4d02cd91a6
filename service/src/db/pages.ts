import { sql } from "kysely";
import type { TenantId } from "../foundation/ids.ts";

/** The next page of a list. */
export interface Page<Item> {
  /** The last item of the previous page. Undefined for the first page. */
  readonly after: Item | undefined;
  readonly limit: number;
}

/**
 * Matches the rows after the row `after`, in the order of these columns. Matches all rows if `after` is undefined. Times
 * in these columns must have no microseconds, because a `Date` has none.
 */
export function isAfter<Row extends object>(
  after: Row | undefined,
  columns: readonly (keyof Row & string)[],
) {
  if (after === undefined) return sql<boolean>`true`;
  const names = columns.map((column) => sql.ref(column));
  const values = columns.map((column) => sql`${after[column]}`);
  return sql<boolean>`(${sql.join(names)}) > (${sql.join(values)})`;
}

/** The item at which the last run of a job ended, for a job that continues there in its next run. */
export interface Position<Item> {
  after?: Page<Item>["after"];
}

/** Returns the page that starts after this item, and an empty page at the end. */
type ListPage<Item> = (after: Page<Item>["after"]) => Promise<readonly Item[]>;

/**
 * Yields the items of all pages. A job that lists its work page by page reaches all of it, even if the work of a whole
 * page fails in every run.
 */
export async function* itemsOf<Item>(listPage: ListPage<Item>): AsyncGenerator<Item> {
  for await (const page of pagesOf(listPage)) yield* page;
}

/** Yields the items of all pages. The items of one tenant and one page are yielded together. */
export async function* itemsByTenant<Item extends { readonly tenantId: TenantId }>(
  listPage: ListPage<Item>,
): AsyncGenerator<readonly [TenantId, readonly Item[]]> {
  for await (const page of pagesOf(listPage)) yield* Map.groupBy(page, (item) => item.tenantId);
}

export async function* pagesOf<Item>(listPage: ListPage<Item>): AsyncGenerator<readonly Item[]> {
  let page = await listPage(undefined);
  while (page.length > 0) {
    yield page;
    page = await listPage(page.at(-1));
  }
}
