import type { ApiPromise } from "../api-promise.ts";
import type { KillSwitch as ApiKillSwitch, KillSwitchRequest, KillSwitchSummary } from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** The time that a response may take: the server waits up to 20 seconds. */
const TIMEOUT_MS = 60_000;

/** Stops an agent, a project or the whole account at once. `verifyRevocation` verifies the report offline. */
export class KillSwitch {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Triggers a kill switch. If its `status` is still `running`, read it again with `get`. */
  trigger(body: KillSwitchRequest, options?: RequestOptions): ApiPromise<ApiKillSwitch> {
    return this.#transport.request(
      { method: "POST", path: "/kill-switch", access: "tenant", body },
      { timeoutMs: TIMEOUT_MS, ...options },
    );
  }

  /** Lists kill switches, newest first, without their targets and proofs. */
  list(query: CursorQuery = {}, options?: RequestOptions): PagePromise<KillSwitchSummary> {
    return requestPages(this.#transport, "/kill-switch", query, options);
  }

  get(killSwitchId: string, options?: RequestOptions): ApiPromise<ApiKillSwitch> {
    return this.#transport.request(
      { method: "GET", path: path`/kill-switch/${killSwitchId}`, access: "tenant" },
      options,
    );
  }

  /** Kills what is not dead, and reports anew. */
  reconcile(killSwitchId: string, options?: RequestOptions): ApiPromise<ApiKillSwitch> {
    return this.#transport.request(
      { method: "POST", path: path`/kill-switch/${killSwitchId}/reconcile`, access: "tenant" },
      { timeoutMs: TIMEOUT_MS, ...options },
    );
  }
}
