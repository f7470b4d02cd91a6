import { hashKey, type QueryKey } from "@tanstack/react-query";
import type { RowList } from "./list-table.tsx";

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null;
}

interface PagedQuery<Row> {
  readonly data: { readonly pages: readonly ListPage<Row>[] } | undefined;
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly fetchNextPage: () => Promise<Pick<PagedQuery<Row>, "data" | "error" | "hasNextPage">>;
}

/** The options of `hooks.useInfiniteQuery` for the lists of the API. */
export const PAGED = {
  pageParamName: "cursor",
  // Not undefined, which the library replaces with 0. A parameter that is null is not sent.
  initialPageParam: null,
  getNextPageParam: (last: { readonly next_cursor?: string | null }) => last.next_cursor ?? undefined,
  // A paged list and a whole one of the same path have different data, and so must not share an entry of the cache.
  queryKeyHashFn: (key: QueryKey) => `paged ${hashKey(key)}`,
} as const;

/** Returns the rows of a paged list that are kept: `pagedRows(hooks.useInfiniteQuery("get", "/payments", {…}, PAGED))`. */
export function pagedRows<Row>(query: PagedQuery<Row>, keep: (row: Row) => boolean = () => true): RowList<Row> {
  const flat = (data: PagedQuery<Row>["data"]) => data?.pages.flatMap((page) => page.data.filter(keep));
  return {
    rows: flat(query.data),
    error: query.error,
    hasMore: query.hasNextPage,
    loadMore: async () => {
      const next = await query.fetchNextPage();
      if (next.error !== null) throw next.error;
      return { rows: flat(next.data) ?? [], hasMore: next.hasNextPage };
    },
  };
}

/** Returns the rows of a list that answers whole. */
export function allRows<Row>(
  query: { readonly data: ListPage<Row> | undefined; readonly error: unknown },
  keep: (row: Row) => boolean = () => true,
): RowList<Row> {
  const rows = query.data?.data.filter(keep);
  return { rows, error: query.error, hasMore: false, loadMore: async () => ({ rows: rows ?? [], hasMore: false }) };
}

/** Returns rows that are there. */
export function rowsOf<Row>(data: readonly Row[]): RowList<Row> {
  return allRows({ data: { data }, error: null });
}
