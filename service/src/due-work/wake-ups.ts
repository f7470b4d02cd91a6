/** Ends the pauses of jobs of this process before their time, because they have work. Other processes do not notice. */
export class WakeUps {
  readonly #waiting = new Map<string, () => void>();
  readonly #missed = new Set<string>();

  /** Ends the job's pause. If the job is running, its next pause is skipped. */
  wake(job: string): void {
    const wake = this.#waiting.get(job);
    if (wake === undefined) this.#missed.add(job);
    else wake();
  }

  /**
   * Calls `wake` once for the next wake-up of the job, or at once if there was one since the last call of the returned function.
   * That function ends the waiting. A job has at most one caller.
   */
  listen(job: string, wake: () => void): () => void {
    if (this.#missed.delete(job)) wake();
    else this.#waiting.set(job, wake);
    return () => void this.#waiting.delete(job);
  }
}
