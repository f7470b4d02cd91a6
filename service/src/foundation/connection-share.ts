import { AsyncLocalStorage } from "node:async_hooks";

/** The database connection pool of the current async context, and the owner that uses the connection. */
export interface ConnectionShare {
  readonly pool: "requests" | "authentication" | "jobs";
  /**
   * The user of the connection: a tenant or admin in the pool `requests`, and a job in the pool `jobs`. Waiting owners
   * get free connections in round-robin order.
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
