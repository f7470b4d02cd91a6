import type { IncomingHttpHeaders } from "node:http";

const ENTRIES_MAX = 500;

export interface LoggedRequest {
  /** Empty where the vendor has no such operation. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly receivedAt: Date;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Whether the vendor's description allows it. Null where there is none to hold it against. */
  readonly valid: boolean | null;
  /** 0 until it is answered, and for ever where the client was left without an answer. */
  readonly status: number;
}

/** The newest requests to one vendor, in memory, and how many there were. */
export interface RequestLog {
  /** Whoever answers the request tells the status to what comes back. */
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
