import { AsyncLocalStorage } from "node:async_hooks";

/** The connection pool of the current async context, and the owner it is used for. */
export interface ConnectionShare {
  readonly pool: "requests" | "authentication" | "jobs";
  /**
   * The tenant or admin (in `requests`) or the job (in `jobs`) that uses the connection. Waiting owners are served in
   * turn.
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
