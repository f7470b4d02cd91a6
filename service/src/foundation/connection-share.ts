import { AsyncLocalStorage } from "node:async_hooks";

/** Which database connections the current async context may use, and on whose behalf. */
export interface ConnectionShare {
  readonly pool: "requests" | "authentication" | "jobs";
  /** Connections are shared out evenly among the owners that wait for one: tenants in `requests`, jobs in `jobs`. */
  readonly owner: string;
}

/** Requests without a credential all share one owner. */
const DEFAULT_SHARE: ConnectionShare = { pool: "requests", owner: "" };

const shares = new AsyncLocalStorage<ConnectionShare>();

/** Runs `work`, and everything it awaits, with this share. */
export function withConnectionShare<Result>(share: ConnectionShare, work: () => Result): Result {
  return shares.run(share, work);
}

export function currentConnectionShare(): ConnectionShare {
  return shares.getStore() ?? DEFAULT_SHARE;
}
