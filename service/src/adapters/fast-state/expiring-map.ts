/** Old entries looked at for each new one. With four, forgotten entries make up at most about a third of the map. */
const SWEPT_PER_SET = 4;

interface Entry<Value> {
  readonly value: Value;
  readonly keepUntilMs: number;
}

/**
 * A map whose entries stay at least until the time they were set with, and go soon after. Each `set` sweeps a few entries
 * in turn, so that there is neither a timer nor a pause, and an idle map keeps what it holds.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  #sweep = this.#entries.entries();

  get size(): number {
    return this.#entries.size;
  }

  /** May return an entry whose time has passed: callers for whom that matters keep the time in the value. */
  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: Value, time: { readonly keepUntilMs: number; readonly nowMs: number }) {
    this.#entries.set(key, { value, keepUntilMs: time.keepUntilMs });
    for (let swept = 0; swept < SWEPT_PER_SET; swept += 1) this.#sweepOne(time.nowMs);
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
