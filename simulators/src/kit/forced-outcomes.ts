import type { ForcedOutcome, Outcome } from "./outcome.ts";

const SLOW_MS = 3_000;

export interface PendingOutcome {
  readonly operation: string;
  readonly outcome: Outcome;
  readonly timesLeft: number;
}

/**
 * The forced outcomes of the next calls to a vendor, in one in-memory queue per operation. A restart empties the
 * queues.
 */
export interface ForcedOutcomes {
  force(forced: ForcedOutcome): void;
  /**
   * Returns the next outcome in the operation's queue, or undefined if the queue is empty. An outcome stays in the queue
   * until it has been returned `times` times.
   */
  take(operation: string): { readonly outcome: Outcome; readonly delayMs: number } | undefined;
  pending(): readonly PendingOutcome[];
}

export function createForcedOutcomes(): ForcedOutcomes {
  const queues = new Map<string, (Required<ForcedOutcome> & { timesLeft: number })[]>();
  return {
    force: ({ operation, outcome, times = 1, delayMs = SLOW_MS }) => {
      const queue = queues.get(operation) ?? [];
      queue.push({ operation, outcome, times, delayMs, timesLeft: times });
      queues.set(operation, queue);
    },
    take: (operation) => {
      const queue = queues.get(operation) ?? [];
      const next = queue[0];
      if (!next) return undefined;
      next.timesLeft -= 1;
      if (next.timesLeft <= 0) queue.shift();
      return next;
    },
    pending: () =>
      [...queues.values()].flat().map(({ operation, outcome, timesLeft }) => ({
        operation,
        outcome,
        timesLeft,
      })),
  };
}
