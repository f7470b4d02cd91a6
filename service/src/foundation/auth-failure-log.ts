import type { AuthFailureReason } from "./vocabulary.ts";

/** Refused requests that named a key: alike ones of one minute are one. */
export interface RecordedFailure {
  /** Lower-case hex SHA-256 of the key's text, which may be nobody's. */
  readonly keyHash: string;
  readonly reason: AuthFailureReason;
  /** How far the last one's timestamp was ahead of our clock. Null where it was no time. */
  readonly skewSeconds: number | null;
  readonly network: string;
  /** Of the last one. */
  readonly requestId: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

const MINUTE_MS = 60_000;
const ENTRIES_MAX = 10_000;

/**
 * Remembers, until they are written down, the requests that were refused although they named a key of good form. To note
 * one costs the same whatever was wrong with it and whether or not somebody has the key, so that the answer's time tells
 * nothing. Bounded, since anybody can make such requests: the oldest go first.
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
   * Hands over what was noted, and takes back what `write` returns or, where it fails, everything. One after another: who
   * calls it while it is under way waits until all that was noted before is written.
   */
  flush(
    write: (failures: readonly RecordedFailure[]) => Promise<readonly RecordedFailure[]>,
  ): Promise<void> {
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
    const { keyHash, reason, network, lastAt } = failure;
    const minute = Math.floor(lastAt.getTime() / MINUTE_MS);
    const name = `${keyHash} ${reason} ${minute} ${network}`;
    const known = this.#entries.get(name);
    this.#entries.set(name, known === undefined ? failure : joined(known, failure));
    if (this.#entries.size <= ENTRIES_MAX) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

function joined(a: RecordedFailure, b: RecordedFailure): RecordedFailure {
  const [first, last] = a.lastAt <= b.lastAt ? [a, b] : [b, a];
  const firstAt = a.firstAt <= b.firstAt ? a.firstAt : b.firstAt;
  return { ...last, firstAt, count: first.count + last.count };
}
