import type { Clock } from "./settings.ts";

/** Near the 30 s that the service tolerates: nearer, and a right clock with a slow network would be corrected. */
const SKEW_MAX_MS = 25_000;

/** The local clock, put right once the service has shown that it is wrong. */
export class ServiceClock implements Clock {
  readonly #clock: Clock;
  #offsetMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Date {
    return new Date(this.#clock.now().getTime() + this.#offsetMs);
  }

  /** How far the local clock has been found to be behind; negative when it is ahead. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /**
   * Compares with the `Date` header of an answer that has just come, and follows it where the two are far
   * apart. Returns whether it had to.
   */
  correct(dateHeader: string | null): boolean {
    const skewMs = Date.parse(dateHeader ?? "") - this.now().getTime();
    // Written so that a header that is no date (NaN) corrects nothing.
    if (!(Math.abs(skewMs) > SKEW_MAX_MS)) return false;
    this.#offsetMs += skewMs;
    return true;
  }
}
