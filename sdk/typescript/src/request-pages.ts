import { PagePromise } from "./paging.ts";
import type { RequestOptions, Transport } from "./transport.ts";

/** The query of a list with cursor pagination (docs/api.md, section 7). */
export interface CursorQuery {
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string;
  /** The number of items per page, 1 to 100. Default: 20. */
  readonly limit?: number;
}

/** Requests the first page of a list. Later pages are requested when the caller reads them. */
export function requestPages<Item>(
  transport: Transport,
  route: string,
  query: CursorQuery,
  options?: RequestOptions,
): PagePromise<Item> {
  return new PagePromise(
    (pageQuery) => transport.request({ method: "GET", path: route, access: "tenant", query: pageQuery }, options),
    { ...query },
  );
}
