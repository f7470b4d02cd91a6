import type { ApiPromise } from "../api-promise.ts";
import type { Link, LinkProviderRequest } from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** A project's connections to the developer's accounts at providers. */
export class ProjectLinks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts linking a provider account to the project. A user completes the link at its `url`. Returns the existing link
   * if the provider is already linked.
   */
  begin(projectId: string, body: LinkProviderRequest, options?: RequestOptions): ApiPromise<Link> {
    const route = path`/projects/${projectId}/link`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }

  get(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<Link> {
    const route = path`/projects/${projectId}/links/${linkId}`;
    return this.#transport.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  /** Lists links, newest first. Pending links are returned without `url`. */
  list(projectId: string, query: CursorQuery = {}, options?: RequestOptions): PagePromise<Link> {
    const route = path`/projects/${projectId}/links`;
    return requestPages(this.#transport, route, query, options);
  }

  /**
   * Revokes a link and deletes its tokens.
   *
   * @throws ConflictError with code `link_in_use` while services use the link.
   */
  revoke(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<Link> {
    const route = path`/projects/${projectId}/links/${linkId}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
