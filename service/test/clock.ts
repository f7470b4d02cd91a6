/** A clock that moves only when a test advances it. */
export class TestClock {
  #now: Date;

  constructor(now = new Date("2026-11-21T10:00:00.000Z")) {
    this.#now = now;
  }

  now = (): Date => this.#now;

  advanceSeconds(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}
