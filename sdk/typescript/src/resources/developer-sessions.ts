import type { ApiPromise } from "../api-promise.ts";
import type { DashboardSession } from "../api-types.ts";
import { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import type { CursorQuery } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** The developer's dashboard sessions. */
export class DeveloperSessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists active sessions, newest first. */
  list(query: CursorQuery = {}, options?: RequestOptions): PagePromise<DashboardSession> {
    const call = {
      method: "GET",
      path: "/developers/dashboard/sessions",
      access: "dashboard",
    } as const;
    return new PagePromise((pageQuery) => this.#transport.request({ ...call, query: pageQuery }, options), {
      ...query,
    });
  }

  /** Ends a session. Its tokens stop working immediately. */
  end(sessionId: string, options?: RequestOptions): ApiPromise<void> {
    const route = path`/developers/dashboard/sessions/${sessionId}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "dashboard" }, options);
  }
}
