/**
 * How a call to a vendor went wrong, told by what the caller has to know to go on: whether anything can have happened there.
 *
 * - `refused`: the vendor answered that it will not. Nothing happened, and the same call again is refused again.
 * - `unauthorized`: as `refused`, since the credentials are not, or no longer, good for this.
 * - `not_found`: as `refused`, since what the call names is not there.
 * - `rate_limited`: nothing happened; later it may.
 * - `unavailable`: the vendor was not reached, so that nothing happened; later it may.
 * - `unknown`: no answer, or one that says nothing (a timeout, a broken connection, a 5xx, an answer that cannot be read).
 *   It may have happened: look before anything is done again.
 */
export type VendorFailure =
  | "refused"
  | "unauthorized"
  | "not_found"
  | "rate_limited"
  | "unavailable"
  | "unknown";

interface VendorErrorContext {
  readonly vendor: string;
  /** What was called, by its name in the vendor's own description: `createProject`. */
  readonly operation: string;
  /** The vendor's own code for it, where it has one: `card_declined`. */
  readonly vendorCode?: string;
  /** The vendor's sentence, redacted and cut short. For the log and the operation's record; never parsed. */
  readonly vendorMessage?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The only error that an adapter of a vendor throws. */
export class VendorError extends Error {
  override readonly name = "VendorError";
  readonly failure: VendorFailure;
  readonly vendor: string;
  readonly operation: string;
  readonly vendorCode: string | undefined;
  readonly vendorMessage: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: VendorFailure, context: VendorErrorContext) {
    super(`${context.vendor} ${context.operation}: ${failure}`, { cause: context.cause });
    this.failure = failure;
    this.vendor = context.vendor;
    this.operation = context.operation;
    this.vendorCode = context.vendorCode;
    this.vendorMessage = context.vendorMessage;
    this.retryAfterSeconds = context.retryAfterSeconds;
  }
}
