/** How a vendor can be made to respond to the next call of an operation. */
export const OUTCOMES = [
  /** The normal response. Useful before another outcome in the queue. */
  "ok",
  /** The vendor's refusal. The call has no effect. */
  "refused",
  /** The call has its effect, but gets no response. */
  "timeout_applied",
  /** The call has no effect and gets no response. */
  "timeout_lost",
  /** The call has its effect, but gets the vendor's 5xx. */
  "error_applied",
  /** The call has its effect, but gets the vendor's response to a repeated call. */
  "duplicate",
  /** The call has its effect, and gets a late response. */
  "slow",
  /** 429 with `Retry-After: 1`. The call has no effect. */
  "rate_limited",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface ForcedOutcome {
  readonly operation: string;
  readonly outcome: Outcome;
  /** Number of calls that get the outcome. Default: 1. */
  readonly times?: number;
  /** Delay of the outcome `slow` in milliseconds. Default: 3,000. */
  readonly delayMs?: number;
}
