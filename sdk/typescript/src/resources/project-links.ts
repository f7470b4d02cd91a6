import type { ApiPromise } from "../api-promise.ts";
import type { Link, LinkProviderRequest } from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** A project's accounts at providers. */
export class ProjectLinks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins a link, which a person completes at its `url`. One that is linked already is answered as it stands. */
  begin(projectId: string, body: LinkProviderRequest, options?: RequestOptions): ApiPromise<Link> {
    const route = path`/projects/${projectId}/link`;
    return this.#transport.request(
      { method: "POST", path: route, access: "tenant", body },
      options,
    );
  }

  get(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<Link> {
    const route = path`/projects/${projectId}/links/${linkId}`;
    return this.#transport.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  /** Newest first, without what a pending one is completed with. */
  list(projectId: string, query: CursorQuery = {}, options?: RequestOptions): PagePromise<Link> {
    const route = path`/projects/${projectId}/links`;
    return requestPages(this.#transport, route, query, options);
  }

  /** Destroys the link's tokens. While services use it, that is a `ConflictError` with the code `link_in_use`. */
  revoke(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<Link> {
    const route = path`/projects/${projectId}/links/${linkId}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
