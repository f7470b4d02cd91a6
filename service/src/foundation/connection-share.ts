import { AsyncLocalStorage } from "node:async_hooks";

/** The database connection pool of the current async context, and the owner that uses the connection. */
export interface ConnectionShare {
  readonly pool: "requests" | "authentication" | "jobs";
  /**
   * The tenant or admin (in `requests`) or the job (in `jobs`) that uses the connection. Free connections are granted
   * to the waiting owners round robin.
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
