/**
 * The number of entries that each `set` checks for expiry. With four, at most about a third of the entries are expired.
 */
const CHECKED_PER_SET = 4;

interface Entry<Value> {
  readonly value: Value;
  readonly keepUntilMs: number;
}

/**
 * A map that keeps each entry until its `keepUntilMs` and removes it soon afterwards. Each `set` removes a few expired
 * entries, so there is no timer and no long pause. Expired entries remain if `set` is not called.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  #sweep = this.#entries.entries();

  get size(): number {
    return this.#entries.size;
  }

  /** May return an expired entry. Callers that need exact expiry must store the time in the value. */
  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: Value, time: { readonly keepUntilMs: number; readonly nowMs: number }) {
    this.#entries.set(key, { value, keepUntilMs: time.keepUntilMs });
    for (let swept = 0; swept < CHECKED_PER_SET; swept += 1) this.#sweepOne(time.nowMs);
  }

  /** Yields all values, including some that have expired. */
  *values(): Generator<Value> {
    for (const { value } of this.#entries.values()) yield value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  #sweepOne(nowMs: number): void {
    const { value: entry, done } = this.#sweep.next();
    if (done) {
      this.#sweep = this.#entries.entries();
      return;
    }
    const [key, { keepUntilMs }] = entry;
    if (keepUntilMs <= nowMs) this.#entries.delete(key);
  }
}
