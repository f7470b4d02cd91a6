import type { ConversionStatus } from "../../../foundation/vocabulary.ts";
import type { TransferState } from "../../../ports/stablecoin-ramp.ts";
import type { Conversion } from "./queries.ts";

/** A conversion takes a status only if its rank is higher than the highest before. `in_review` is a pause without a rank. */
const RANKS: Readonly<Partial<Record<ConversionStatus, number>>> = {
  quoted: 0,
  awaiting_funds: 1,
  funds_received: 2,
  payment_submitted: 3,
  completed: 4,
  undeliverable: 5,
  returned: 5,
  missing_return_policy: 5,
  refund_in_flight: 6,
  refund_failed: 7,
  refunded: 8,
};

const COMPLETED = 4;

/** Without further statuses. */
const ENDED: readonly ConversionStatus[] = ["refunded", "canceled", "expired", "failed"];
/** Nothing is waited for. Reports of the vendor can still change these: a completed conversion can be returned. */
const SETTLED: readonly ConversionStatus[] = ["completed", "refund_failed", ...ENDED];

/** The vendor's states that have another name here. `pending` and unknown states say nothing. */
const STATUS_OF: Readonly<Record<TransferState, ConversionStatus | undefined>> = {
  awaiting_funds: "awaiting_funds",
  in_review: "in_review",
  funds_received: "funds_received",
  payment_submitted: "payment_submitted",
  payment_processed: "completed",
  undeliverable: "undeliverable",
  returned: "returned",
  missing_return_policy: "missing_return_policy",
  refund_in_flight: "refund_in_flight",
  refunded: "refunded",
  refund_failed: "refund_failed",
  canceled: "canceled",
  error: "failed",
  pending: undefined,
  unknown: undefined,
};

export function conversionStatusOf(state: TransferState): ConversionStatus | undefined {
  return STATUS_OF[state];
}

/** Returns the rank after the status is taken, or undefined if the conversion does not take it. */
export function rankAfter(
  { status, rank }: Pick<Conversion, "status" | "rank">,
  to: ConversionStatus,
): number | undefined {
  if (ENDED.includes(status) || status === to) return undefined;
  const next = RANKS[to];
  if (next !== undefined) return next > rank ? next : undefined;
  // A pause and an end come only before the money has arrived.
  return rank < COMPLETED ? rank : undefined;
}

/** Whether a conversion has ended before its money moved. */
export function hasEnded({ status }: Pick<Conversion, "status">): boolean {
  return status !== "refunded" && ENDED.includes(status);
}

export function isSettled({ status }: Pick<Conversion, "status">): boolean {
  return SETTLED.includes(status);
}

/** Whether the vendor has the money of the source. */
export function hasFunds({ rank }: Pick<Conversion, "rank">): boolean {
  return rank > (RANKS.awaiting_funds ?? 0);
}

/** A quote counts as expired from that very second, before the status is stored. */
export function conversionStatusAt(
  { status, quoteExpiresAt }: Pick<Conversion, "status" | "quoteExpiresAt">,
  at: Date,
): ConversionStatus {
  return status === "quoted" && quoteExpiresAt !== null && quoteExpiresAt <= at ? "expired" : status;
}
