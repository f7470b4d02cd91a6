import type { ApiKeyId, TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";

/** A request that was authenticated with an API key, without what it contained. */
export interface LoggedRequest {
  readonly tenantId: TenantId;
  readonly requestId: string;
  readonly keyId: ApiKeyId;
  readonly mode: Mode;
  readonly method: string;
  /** The path with the names of its parameters instead of their values. */
  readonly path: string;
  readonly status: number;
  /** The code of the problem in the response. Null if there was none. */
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** What was in `X-Agent-ID`. */
  readonly agentId: string | null;
  /** When the response was sent. A number, because thousands of dates a second would cost time. */
  readonly createdAtMs: number;
}

/** Why requests are missing in the log. */
export interface Dropped {
  readonly count: number;
  /** The error of the last write. Undefined if requests were dropped because the buffer was full. */
  readonly error: unknown;
}

/** How many keys are remembered. A key that is forgotten is trimmed once more than needed. */
const KEYS_MAX = 10_000;

/**
 * Buffers requests until they are written to the database. No request waits for that: if the buffer is full or a write
 * fails, requests are dropped and counted.
 */
export class RequestLog {
  /** How many requests of each key are kept. Some more are kept until the key is trimmed. */
  readonly keptPerKey: number;
  readonly #bufferedMax: number;
  #buffered: LoggedRequest[] = [];
  #dropped = 0;
  #written: Promise<unknown> = Promise.resolve();
  /** How many requests of each key were written since it was trimmed. */
  readonly #untrimmed = new Map<ApiKeyId, number>();

  constructor({ keptPerKey = 10_000, bufferedMax = 10_000 } = {}) {
    this.keptPerKey = keptPerKey;
    this.#bufferedMax = bufferedMax;
  }

  note(request: LoggedRequest): void {
    if (this.#buffered.length < this.#bufferedMax) this.#buffered.push(request);
    else this.#dropped += 1;
  }

  /**
   * Removes the buffered requests and passes them to `write`, unless there are none. Flushes run one after another, so a
   * call also waits for earlier flushes. Returns what was dropped since the last flush.
   */
  flush(write: (requests: readonly LoggedRequest[]) => Promise<void>): Promise<Dropped> {
    const run = this.#written.then(async () => {
      const requests = this.#buffered;
      this.#buffered = [];
      let error: unknown;
      if (requests.length > 0) {
        await write(requests).catch((thrown: unknown) => {
          error = thrown;
          this.#dropped += requests.length;
        });
      }
      const count = this.#dropped;
      this.#dropped = 0;
      return { count, error };
    });
    this.#written = run;
    return run;
  }

  /**
   * Counts requests of a key that are written. Returns true if the key is trimmed with them: a tenth of what is kept was
   * written since, or this process has not trimmed it yet.
   */
  takesTrim(keyId: ApiKeyId, count: number): boolean {
    const before = this.#untrimmed.get(keyId);
    const written = (before ?? 0) + count;
    const isDue = before === undefined || written >= this.keptPerKey / 10;
    this.#untrimmed.set(keyId, isDue ? 0 : written);
    this.#forgetOldest();
    return isDue;
  }

  #forgetOldest(): void {
    if (this.#untrimmed.size <= KEYS_MAX) return;
    const [oldest] = this.#untrimmed.keys();
    if (oldest !== undefined) this.#untrimmed.delete(oldest);
  }
}
