import type { Clock } from "./settings.ts";

/** The server tolerates 30 s. A lower value would correct a right clock on a slow network. */
const SKEW_MAX_MS = 25_000;

/** The local clock with a correction. The correction is 0 until a response shows that the local clock is wrong. */
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
   * Compares the clock with the `Date` header of a response that has just arrived. Corrects it if it differs by more than
   * 25 s. Returns whether it was corrected.
   */
  correctFrom(dateHeader: string | null): boolean {
    const skewMs = Date.parse(dateHeader ?? "") - this.now().getTime();
    // The negation covers a header that is not a date: NaN is not greater.
    if (!(Math.abs(skewMs) > SKEW_MAX_MS)) return false;
    this.#offsetMs += skewMs;
    return true;
  }
}
