import type { IncomingHttpHeaders } from "node:http";

const ENTRIES_MAX = 500;

export interface LoggedRequest {
  /** Empty if the request matches no simulated operation. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly receivedAt: Date;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Whether the request conforms to the vendor's OpenAPI description. Null if there is no description. */
  readonly valid: boolean | null;
  /** The response status. It is 0 until the response is sent, and stays 0 after a forced timeout. */
  readonly status: number;
}

/** The newest requests to a vendor, and counts of all requests. They are kept in memory only. */
export interface RequestLog {
  /** Adds a request. Returns a function that records the response status. */
  add(request: Omit<LoggedRequest, "status">): (status: number) => void;
  /** Returns the logged requests, oldest first. */
  list(): readonly LoggedRequest[];
  counts(): { readonly total: number; readonly invalid: number };
}

export function createRequestLog(): RequestLog {
  const entries: (Omit<LoggedRequest, "status"> & { status: number })[] = [];
  let total = 0;
  let invalid = 0;
  return {
    add: (request) => {
      const entry = { ...request, status: 0 };
      entries.push(entry);
      if (entries.length > ENTRIES_MAX) entries.shift();
      total += 1;
      if (request.valid === false) invalid += 1;
      return (status) => {
        entry.status = status;
      };
    },
    list: () => [...entries],
    counts: () => ({ total, invalid }),
  };
}
