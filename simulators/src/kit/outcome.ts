/** What a vendor can be made to do with the next call of an operation. */
export const OUTCOMES = [
  /** Nothing unusual. Lets a call pass before the next outcome in the queue. */
  "ok",
  /** The vendor's refusal. Nothing is applied. */
  "refused",
  /** Applied, and never answered. */
  "timeout_applied",
  /** Not applied, and never answered. */
  "timeout_lost",
  /** Applied, and answered with the vendor's 5xx. */
  "error_applied",
  /** Applied, and answered with what the vendor says to a repetition. */
  "duplicate",
  /** Applied, and answered late. */
  "slow",
  /** 429 with `Retry-After: 1`. Nothing is applied. */
  "rate_limited",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface ForcedOutcome {
  readonly operation: string;
  readonly outcome: Outcome;
  /** How many calls it meets. 1 where absent. */
  readonly times?: number;
  /** For `slow`. 3,000 where absent. */
  readonly delayMs?: number;
}
