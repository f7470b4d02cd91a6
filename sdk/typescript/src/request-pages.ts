import { PagePromise } from "./paging.ts";
import type { RequestOptions, Transport } from "./transport.ts";

/** Where a list goes on by a cursor, and how many are on a page. */
export interface CursorQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

/** Asks for a list of the tenant's, page by page as far as it is read. */
export function requestPages<Item>(
  transport: Transport,
  route: string,
  query: CursorQuery,
  options?: RequestOptions,
): PagePromise<Item> {
  return new PagePromise(
    (pageQuery) =>
      transport.request(
        { method: "GET", path: route, access: "tenant", query: pageQuery },
        options,
      ),
    { ...query },
  );
}
