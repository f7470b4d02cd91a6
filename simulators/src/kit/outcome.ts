import type { VendorRequest } from "./vendor-simulator.ts";

/** The outcomes that can be forced for the next calls of an operation. */
export const OUTCOMES = [
  /** The normal response. To force the outcome of a later call, queue `ok` for the calls before it. */
  "ok",
  /** The vendor rejects the call. The call has no effect. */
  "refused",
  /** The call takes effect, but the client gets no response. */
  "timeout_applied",
  /** The call has no effect, and the client gets no response. */
  "timeout_lost",
  /** The call takes effect, but the client gets the vendor's 5xx response. */
  "error_applied",
  /** The call takes effect, but the client gets the vendor's response to a duplicate call. */
  "duplicate",
  /** The call takes effect, and the client gets the response after a delay. */
  "slow",
  /** 429 with `Retry-After: 1`. The call has no effect. */
  "rate_limited",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface ForcedOutcome {
  readonly operation: string;
  readonly outcome: Outcome;
  /** The number of calls that get this outcome. Default: 1. */
  readonly times?: number;
  /** The delay for the outcome `slow`, in milliseconds. Default: 3,000. */
  readonly delayMs?: number;
}

/**
 * Returns the outcome of a call for which no outcome is forced. It is called for each call with valid credentials and a
 * valid request.
 */
export type ChooseOutcome = (
  vendor: string,
  request: VendorRequest,
) => { readonly outcome: Outcome; readonly delayMs: number };
