import type { ApiPromise } from "../api-promise.ts";
import type { NextAction } from "../errors.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Mode } from "../settings.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export interface BeginLinkRequest {
  /** As the catalog names it. */
  readonly provider: string;
  readonly mode?: "auto" | "existing_account" | "new_account";
  readonly scopes?: readonly string[];
  readonly region?: string;
  /** Where the browser goes in the end: on the service's own origin, or on loopback. */
  readonly redirect_uri?: string;
  readonly accept_terms_version?: string;
  /** Links again what is linked already. */
  readonly force?: boolean;
}

export interface ProviderLink {
  readonly object: "link";
  readonly link_id: string;
  readonly project_id: string;
  readonly mode: Mode;
  readonly provider: string;
  readonly flow: "oauth" | "api_token" | "instant";
  readonly status: "pending_auth" | "linked" | "failed" | "expired" | "revoked";
  /** Why it failed. */
  readonly error:
    | "access_denied"
    | "exchange_failed"
    | "token_refused"
    | "provider_refused"
    | "provider_unavailable"
    | "other_account"
    | "project_not_active"
    | null;
  /** Where a person allows it, or pastes a token. Whoever has it can complete the link, so show it to nobody else. */
  readonly url: string | null;
  readonly state: string | null;
  readonly expires_at: string | null;
  readonly poll_url: string;
  readonly next_action: NextAction | null;
  readonly linked_at: string | null;
  readonly account_label: string | null;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** A project's accounts at providers. */
export class ProjectLinks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins a link, which a person completes at its `url`. One that is linked already is answered as it stands. */
  begin(
    projectId: string,
    body: BeginLinkRequest,
    options?: RequestOptions,
  ): ApiPromise<ProviderLink> {
    const route = path`/projects/${projectId}/link`;
    return this.#transport.request(
      { method: "POST", path: route, access: "tenant", body },
      options,
    );
  }

  get(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<ProviderLink> {
    const route = path`/projects/${projectId}/links/${linkId}`;
    return this.#transport.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  /** Newest first, without what a pending one is completed with. */
  list(
    projectId: string,
    query: CursorQuery = {},
    options?: RequestOptions,
  ): PagePromise<ProviderLink> {
    const route = path`/projects/${projectId}/links`;
    return requestPages(this.#transport, route, query, options);
  }

  /** Destroys the link's tokens. While services use it, that is a `ConflictError` with the code `link_in_use`. */
  revoke(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<ProviderLink> {
    const route = path`/projects/${projectId}/links/${linkId}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
