import type { ApiPromise } from "./api-promise.ts";
import { type ListBody, PagePromise } from "./paging.ts";
import type { Call, Query, RequestOptions, Transport } from "./transport.ts";

/** A call whose query is typed. */
type ResourceCall = Omit<Call, "query"> & { readonly query?: object };

/** A group of operations. */
export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A method, because a getter would be evaluated when a resource is printed. */
  protected transport(): Transport {
    return this.#transport;
  }

  protected request<Data>({ query, ...call }: ResourceCall, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request(query === undefined ? call : { ...call, query: query as Query }, options);
  }

  /** Requests the first page of a list. Later pages are requested when the caller reads them. */
  protected pages<Item, Body extends ListBody<Item>>(
    { query = {}, ...call }: ResourceCall,
    options?: RequestOptions,
  ): PagePromise<Item, Body> {
    return new PagePromise((pageQuery) => this.#transport.request({ ...call, query: pageQuery }, options), {
      ...query,
    });
  }
}
