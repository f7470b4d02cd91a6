import { hashKey, type QueryKey } from "@tanstack/react-query";
import type { Rows } from "./list-table.tsx";

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly has_more?: boolean;
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

/** Returns the rows of a paged list: `pagedRows(hooks.useInfiniteQuery("get", "/payments", {…}, PAGED))`. */
export function pagedRows<Row>({ data, error, hasNextPage, fetchNextPage }: PagedQuery<Row>): Rows<Row> {
  const flat = (pages: readonly ListPage<Row>[] = []) => pages.flatMap((page) => page.data);
  return {
    rows: data === undefined ? undefined : flat(data.pages),
    error,
    hasMore: hasNextPage,
    loadMore: async () => {
      const next = await fetchNextPage();
      if (next.error !== null) throw next.error;
      return { rows: flat(next.data?.pages), hasMore: next.hasNextPage };
    },
  };
}

/** Returns the rows of a list that answers whole. */
export function allRows<Row>(query: {
  readonly data: { readonly data: readonly Row[] } | undefined;
  readonly error: unknown;
}): Rows<Row> {
  const rows = query.data?.data;
  return { rows, error: query.error, hasMore: false, loadMore: async () => ({ rows: rows ?? [], hasMore: false }) };
}
