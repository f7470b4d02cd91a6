import { AsyncLocalStorage } from "node:async_hooks";

/** The pool and owner of the database connections that the current async context uses. */
export interface ConnectionShare {
  readonly pool: "requests" | "authentication" | "jobs";
  /**
   * In the pool `requests`, the owner is a tenant or admin. In the pool `jobs`, it is a job. Waiting owners get free
   * connections in round-robin order.
   */
  readonly owner: string;
}

/** Requests without a credential share one owner. */
const DEFAULT_SHARE: ConnectionShare = { pool: "requests", owner: "" };

const shares = new AsyncLocalStorage<ConnectionShare>();

/** Runs `work`, and everything it awaits, with this share. */
export function withConnectionShare<Result>(share: ConnectionShare, work: () => Result): Result {
  return shares.run(share, work);
}

export function currentConnectionShare(): ConnectionShare {
  return shares.getStore() ?? DEFAULT_SHARE;
}
