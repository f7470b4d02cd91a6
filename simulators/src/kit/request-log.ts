import type { IncomingHttpHeaders } from "node:http";

const ENTRIES_MAX = 500;

export interface LoggedRequest {
  /** Empty if the simulator has no such operation. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly receivedAt: Date;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Whether the request conforms to the vendor's OpenAPI description. Null without a description. */
  readonly valid: boolean | null;
  /** 0 while there is no response. It stays 0 after a forced timeout. */
  readonly status: number;
}

/** The newest requests to one vendor, in memory, and the number of all requests. */
export interface RequestLog {
  /** Adds a request. Returns a function that records the status of its response. */
  add(request: Omit<LoggedRequest, "status">): (status: number) => void;
  /** Oldest first. */
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
