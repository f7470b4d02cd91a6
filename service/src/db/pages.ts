import { type Expression, type SelectQueryBuilder, sql } from "kysely";
import type { TenantId } from "../foundation/ids.ts";
import type { Db } from "./database.ts";
import type { Schema } from "./schema.ts";

/** The next page of a list. */
export interface Page<Item> {
  /** The last item of the previous page. Undefined for the first page. */
  readonly after: Item | undefined;
  readonly limit: number;
}

/** A page of a list for a caller, and whether another page follows. */
export interface ListedPage<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** Reads a page with one item more than the limit, which shows whether another page follows. */
export async function readPage<Item>(
  limit: number,
  read: (limit: number) => Promise<readonly Item[]>,
): Promise<ListedPage<Item>> {
  const items = await read(limit + 1);
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}

/**
 * Matches the tenant's rows that were created before the row with this id. Matches all rows if `id` is undefined. For lists
 * that are sorted by `created_at` and the id, the newest first.
 */
export function isOlderThan(
  id: string | undefined,
  { tenantId, table, column }: { readonly tenantId: TenantId; readonly table: string; readonly column: string },
) {
  if (id === undefined) return sql<boolean>`true`;
  const key = (of: string) => sql`${sql.ref(`${of}.createdAt`)}, ${sql.ref(`${of}.${column}`)}`;
  return sql<boolean>`(${key(table)}) < (select ${key("last")} from ${sql.table(table)} as last
    where last.tenant_id = ${tenantId} and ${sql.ref(`last.${column}`)} = ${id})`;
}

/** Reads one page of a tenant's rows, the newest first. `after` is the id of the last row of the previous page. */
export function readNewest<Name extends keyof Schema, Item>(
  rows: SelectQueryBuilder<Schema, Name, Item>,
  key: Parameters<typeof isOlderThan>[1],
  { after, limit }: Page<string>,
): Promise<ListedPage<Item>> {
  const order = (column: string) => sql.ref(`${key.table}.${column}`);
  const page = rows
    .where(isOlderThan(after, key))
    .orderBy(order("createdAt"), "desc")
    .orderBy(order(key.column), "desc");
  return readPage(limit, (max) => page.limit(max).execute());
}

/**
 * Matches the rows after the row `after`, in the order of these columns. Matches all rows if `after` is undefined. Times
 * in these columns must have no microseconds, because a `Date` has none.
 */
export function isAfter<Row extends object>(after: Row | undefined, columns: readonly (keyof Row & string)[]) {
  if (after === undefined) return sql<boolean>`true`;
  const names = columns.map((column) => sql.ref(column));
  const values = columns.map((column) => sql`${after[column]}`);
  return sql<boolean>`(${sql.join(names)}) > (${sql.join(values)})`;
}

/** `turn`: the number of the item among those of its tenant, counted from 1. */
export type InTurn<Item> = Item & { readonly turn: number };

/**
 * Returns one page of the rows, in which the tenants take turns: the first row of each tenant, then the second of each, and
 * so on. `columns` order the rows of a tenant, and those of equal turns.
 */
export async function listInTurns<Item extends { readonly tenantId: TenantId }>(
  db: Db,
  rows: Expression<Item>,
  columns: readonly (keyof Item & string)[],
  { after, limit }: Page<InTurn<Item>>,
): Promise<InTurn<Item>[]> {
  const order = sql.join(columns.map((column) => sql.ref(column)));
  const page = await sql<InTurn<Item>>`
    select * from (
      select due.*, row_number() over (partition by tenant_id order by ${order})::integer as turn from ${rows} as due
    ) as due
    where ${isAfter<InTurn<Item>>(after, ["turn", ...columns])} order by turn, ${order} limit ${limit}`.execute(db);
  return page.rows;
}

/**
 * Yields the rows as `itemsInTurns` does, in the order of `listInTurns`. `columns` order the rows of a tenant, and contain what
 * identifies a row.
 */
export function inTurns<Item extends { readonly tenantId: TenantId }>(
  db: Db,
  columns: readonly (keyof Item & string)[],
  rows: () => Expression<Item>,
): AsyncGenerator<Item> {
  return itemsInTurns<Item>(
    (after) => listInTurns(db, rows(), columns, { after, limit: PAGE_MAX }),
    (item) => JSON.stringify(columns.map((column) => item[column])),
  );
}

/** Large, because rows whose work fails stay, and are passed over in each reading. */
const PAGE_MAX = 1_000;
/** How many items of a list are taken before it is read again. */
const TURNS_MAX = 100;
/** So that a run ends, and what it remembers is bounded. */
const ITEMS_MAX = 100_000;

/**
 * Yields the items of all pages of a list in which the tenants take turns, each once. The list is read again from its start
 * after every 100 items, so that one tenant's many items do not delay another's that become due meanwhile. `idOf` returns an
 * id that is unique within the tenant. Only for a list that its job empties: items that stay are read again each time.
 */
export async function* itemsInTurns<Item extends { readonly tenantId: TenantId }>(
  listPage: ListPage<InTurn<Item>>,
  idOf: (item: Item) => string,
): AsyncGenerator<InTurn<Item>> {
  const taken = new Set<string>();
  let isNew = true;
  while (isNew && taken.size < ITEMS_MAX) {
    isNew = false;
    const end = taken.size + TURNS_MAX;
    for await (const item of itemsOf(listPage)) {
      const key = `${item.tenantId} ${idOf(item)}`;
      if (taken.has(key)) continue;
      isNew = true;
      taken.add(key);
      yield item;
      if (taken.size === end) break;
    }
  }
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

/** Yields the pages. A page with fewer items than `limit` is the last one. */
export async function* pagesOf<Item>(listPage: ListPage<Item>, limit = 0): AsyncGenerator<readonly Item[]> {
  let page = await listPage(undefined);
  while (page.length > 0) {
    yield page;
    if (page.length < limit) return;
    page = await listPage(page.at(-1));
  }
}
