import type { Db } from "../db/database.ts";
import { QUOTAS } from "../foundation/wire/quotas.ts";
import { type EventLogName, listLogsWithEvents } from "./queries.ts";

const STREAMS_MAX = 1_000;
const TENANT_STREAMS_MAX = QUOTAS.eventStreams.max;

interface Stream extends EventLogName {
  readonly wake: () => void;
}

/** The streams of events that clients of this process read. A stream that waits uses no database connection. */
export class EventFeed {
  readonly #streams = new Set<Stream>();
  /** The number of the transaction from which the log has not been looked through. */
  #xid: string | null = null;
  #isClosed = false;

  /** Adds a stream, unless there are too many. `wake` is called when there may be new events, and when the process stops. */
  add(stream: Stream): boolean {
    const own = [...this.#streams].filter(({ tenantId }) => tenantId === stream.tenantId);
    if (own.length >= TENANT_STREAMS_MAX || this.#streams.size >= STREAMS_MAX) return false;
    this.#streams.add(stream);
    return true;
  }

  remove(stream: Stream): void {
    this.#streams.delete(stream);
  }

  /** True when the process stops. Streams then end. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get count(): number {
    return this.#streams.size;
  }

  close(): void {
    this.#isClosed = true;
    for (const { wake } of this.#streams) wake();
  }

  /** Wakes the streams whose logs have new events. One query covers all of them. Returns the number of logs. */
  async follow({ db }: { readonly db: Db }): Promise<number> {
    if (this.#streams.size === 0) {
      this.#xid = null;
      return 0;
    }
    const isFirst = this.#xid === null;
    const { until, logs } = await listLogsWithEvents(db, this.#xid);
    this.#xid = until;
    const names = new Set(logs.map(nameOf));
    for (const stream of this.#streams) {
      if (isFirst || names.has(nameOf(stream))) stream.wake();
    }
    return logs.length;
  }
}

function nameOf({ tenantId, mode }: EventLogName): string {
  return `${tenantId} ${mode}`;
}
