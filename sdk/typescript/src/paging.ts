import { ApiPromise, type ApiResponse } from "./api-promise.ts";
import type { Query } from "./transport.ts";

/** The body of a list response (docs/rules/conventions.md). */
export interface ListBody<Item> {
  readonly object: "list";
  readonly data: readonly Item[];
  readonly has_more?: boolean;
  readonly page?: number;
  readonly next_cursor?: string | null;
}

type RequestPage<Body> = (query: Query) => ApiPromise<Body>;

/** One page of a list. Iterating over it also yields the items of all later pages. */
export class Page<Item, Body extends ListBody<Item> = ListBody<Item>> implements AsyncIterable<Item> {
  readonly data: readonly Item[];
  /** The whole response body. */
  readonly body: Body;
  readonly #next: Query | undefined;
  readonly #request: RequestPage<Body>;

  constructor(body: Body, query: Query, request: RequestPage<Body>) {
    this.data = body.data;
    this.body = body;
    // A cursor replaces the number of the first page: numbered pages move if items are deleted meanwhile.
    this.#next = body.next_cursor ? { ...query, page: undefined, cursor: body.next_cursor } : undefined;
    this.#request = request;
  }

  hasNextPage(): boolean {
    return this.#next !== undefined;
  }

  /** Requests the next page. Returns undefined on the last page. */
  async getNextPage(): Promise<Page<Item, Body> | undefined> {
    return this.#next && new PagePromise<Item, Body>(this.#request, this.#next);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for (let page: Page<Item, Body> | undefined = this; page; page = await page.getNextPage()) {
      yield* page.data;
    }
  }
}

/** A promise of a page. It is also async iterable: `for await (const project of purser.projects.list())`. */
export class PagePromise<Item, Body extends ListBody<Item> = ListBody<Item>>
  extends ApiPromise<Page<Item, Body>>
  implements AsyncIterable<Item>
{
  constructor(request: RequestPage<Body>, query: Query) {
    const toPage = (response: ApiResponse<Body>) => ({
      ...response,
      data: new Page<Item, Body>(response.data, query, request),
    });
    super(request(query).withResponse().then(toPage));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    yield* await this;
  }

  /** Returns the first `limit` items of the list, requesting as many pages as needed. */
  async toArray({ limit }: { readonly limit: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}
