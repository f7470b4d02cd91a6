import { AppError } from "../foundation/errors.ts";

/**
 * Grants at most `slotsMax` slots at a time, one for each database connection. Waiting owners get free slots in
 * round-robin order, and each owner's requests get them in order of arrival.
 */
export class FairQueue {
  #slotsFree: number;
  readonly #waitTimeoutMs: number;
  /** Waiting requests by owner, with the next owner first. An owner without requests is removed. */
  readonly #waiting = new Map<string, Set<() => void>>();

  readonly slotsMax: number;

  constructor(slotsMax: number, waitTimeoutMs: number) {
    this.slotsMax = slotsMax;
    this.#slotsFree = slotsMax;
    this.#waitTimeoutMs = waitTimeoutMs;
  }

  get slotsInUse(): number {
    return this.slotsMax - this.#slotsFree;
  }

  /** How many requests wait for a slot. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, requests) => sum + requests.size, 0);
  }

  /**
   * Resolves when the caller gets a slot, which it must free with `release`. Throws `service_unavailable` if the caller
   * gets no slot within `waitTimeoutMs`.
   */
  async acquire(owner: string): Promise<void> {
    if (this.#slotsFree > 0) this.#slotsFree -= 1;
    else await this.#wait(owner);
  }

  release(): void {
    for (const [owner, requests] of this.#waiting) {
      for (const grant of requests) {
        this.#remove(owner, grant);
        // Moves the owner to the end of the queue if it has more requests.
        if (this.#waiting.delete(owner)) this.#waiting.set(owner, requests);
        grant();
        return;
      }
    }
    this.#slotsFree += 1;
  }

  #wait(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#remove(owner, grant);
        reject(new AppError("service_unavailable", { internal: "no database connection is free" }));
      }, this.#waitTimeoutMs);
      const requests = this.#waiting.get(owner) ?? new Set();
      this.#waiting.set(owner, requests.add(grant));
    });
  }

  #remove(owner: string, grant: () => void): void {
    const requests = this.#waiting.get(owner);
    requests?.delete(grant);
    if (requests?.size === 0) this.#waiting.delete(owner);
  }
}
