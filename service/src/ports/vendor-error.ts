/**
 * How a vendor call failed, by whether the call can have had an effect.
 *
 * - `refused`: the vendor refused the call. It had no effect, and repeating it fails too.
 * - `unauthorized`: refused because the credentials are invalid or lack a permission.
 * - `not_found`: refused because the object does not exist.
 * - `rate_limited`: no effect; a later call may succeed.
 * - `unavailable`: the vendor was not reached, so the call had no effect; a later call may succeed.
 * - `unknown`: a timeout, a broken connection, a 5xx or an unreadable response. The call may have had its effect: check
 * before repeating it.
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
  /** The call's name in the vendor's API description: `createProject`. */
  readonly operation: string;
  /** The vendor's error code, if it has one: `card_declined`. */
  readonly vendorCode?: string;
  /** The vendor's error text, redacted and truncated. For the log and the stored operation; never parsed. */
  readonly vendorMessage?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The only error that vendor adapters throw. */
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
