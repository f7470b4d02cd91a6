import { AppError } from "../foundation/errors.ts";

/**
 * Hands out at most `slotsMax` slots. When all are taken, a slot that comes free goes to the waiting owners in turn
 * (round robin), and to the requests of one owner in the order they came.
 */
export class FairQueue {
  #slotsFree: number;
  readonly #waitTimeoutMs: number;
  /** The owner whose turn is next comes first. No owner is here without a request. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(slotsMax: number, waitTimeoutMs: number) {
    this.#slotsFree = slotsMax;
    this.#waitTimeoutMs = waitTimeoutMs;
  }

  /** Resolves once the slot is the caller's, who must `release` it. Throws `service_unavailable` after the time limit. */
  async acquire(owner: string): Promise<void> {
    if (this.#slotsFree > 0) this.#slotsFree -= 1;
    else await this.#wait(owner);
  }

  release(): void {
    for (const [owner, requests] of this.#waiting) {
      for (const grant of requests) {
        this.#remove(owner, grant);
        // Behind the other owners.
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
