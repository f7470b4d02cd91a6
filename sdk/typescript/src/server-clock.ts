import type { Clock } from "./settings.ts";

/**
 * The client's clock is corrected if it differs from the server's clock by more than this value. The server rejects
 * requests if the difference exceeds 30 s, so the value must be lower than 30 s. It is not much lower, because network
 * delays can make a correct clock look wrong.
 */
const SKEW_MAX_MS = 25_000;

/** The local clock plus an offset. The offset is 0 until a response shows that the local clock is wrong. */
export class ServerClock implements Clock {
  readonly #clock: Clock;
  #offsetMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Date {
    return new Date(this.#clock.now().getTime() + this.#offsetMs);
  }

  /** How far the local clock is behind the server's, in milliseconds. Negative if it is ahead. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /**
   * Compares the clock with the `Date` header of a response that has just arrived, and corrects the clock if it differs
   * by more than 25 s. Returns true if it was corrected.
   */
  correctFrom(dateHeader: string | null): boolean {
    const skewMs = Date.parse(dateHeader ?? "") - this.now().getTime();
    // The comparison is negated so that it also rejects invalid dates, for which `skewMs` is NaN.
    if (!(Math.abs(skewMs) > SKEW_MAX_MS)) return false;
    this.#offsetMs += skewMs;
    return true;
  }
}
