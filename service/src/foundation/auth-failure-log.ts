import type { TenantId } from "./ids.ts";
import type { AuthFailureReason } from "./vocabulary.ts";

/** The rejected requests with the same API key, reason and client network in one minute. */
export interface RecordedFailure {
  /** Lowercase hex SHA-256 of the API key, which need not exist. Null for a dashboard session. */
  readonly keyHash: string | null;
  /** The developer of a dashboard session. */
  readonly tenantId?: TenantId;
  readonly reason: AuthFailureReason;
  /**
   * Seconds by which the last request's timestamp was ahead of the server's clock. Negative if it was behind. Null if
   * the timestamp was malformed or was not the reason for the rejection.
   */
  readonly skewSeconds: number | null;
  readonly network: string;
  /** The id of the last request. */
  readonly requestId: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

const MINUTE_MS = 60_000;
const ENTRIES_MAX = 10_000;

/**
 * Buffers rejected requests with a well-formed API key or a valid dashboard token until they are written to the
 * database. `note` takes the same time for every reason and for unknown keys, so that response times do not reveal
 * whether a key exists. Anyone can send such requests, so the size of the buffer is limited. If it is full, the oldest
 * entry is dropped.
 */
export class AuthFailureLog {
  readonly #entries = new Map<string, RecordedFailure>();
  #written: Promise<void> = Promise.resolve();

  get size(): number {
    return this.#entries.size;
  }

  note(failure: Omit<RecordedFailure, "count" | "firstAt" | "lastAt">, at: Date): void {
    this.#add({ ...failure, count: 1, firstAt: at, lastAt: at });
  }

  /**
   * Removes the buffered failures and passes them to `write`, which returns those that it could not write. These are
   * put back into the buffer. If `write` throws, all are put back. Flushes run one after another, so a call also waits
   * for earlier flushes.
   */
  flush(write: (failures: readonly RecordedFailure[]) => Promise<readonly RecordedFailure[]>): Promise<void> {
    const run = this.#written.then(async () => {
      const taken = [...this.#entries.values()];
      this.#entries.clear();
      let unwritten: readonly RecordedFailure[] = taken;
      try {
        unwritten = await write(taken);
      } finally {
        for (const failure of unwritten) this.#add(failure);
      }
    });
    this.#written = run.catch(() => {});
    return run;
  }

  #add(failure: RecordedFailure): void {
    const { keyHash, tenantId, reason, network, lastAt } = failure;
    const minute = Math.floor(lastAt.getTime() / MINUTE_MS);
    const name = `${keyHash ?? tenantId} ${reason} ${minute} ${network}`;
    const existing = this.#entries.get(name);
    this.#entries.set(name, existing === undefined ? failure : merge(existing, failure));
    if (this.#entries.size <= ENTRIES_MAX) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

function merge(a: RecordedFailure, b: RecordedFailure): RecordedFailure {
  const [first, last] = a.lastAt <= b.lastAt ? [a, b] : [b, a];
  const firstAt = a.firstAt <= b.firstAt ? a.firstAt : b.firstAt;
  return { ...last, firstAt, count: first.count + last.count };
}
