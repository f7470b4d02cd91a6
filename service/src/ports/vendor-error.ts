/**
 * How a vendor call failed, and whether it may have had an effect.
 *
 * - `refused`: the vendor rejected the call. It had no effect, and a retry would fail too.
 * - `unauthorized`: rejected because the credentials are invalid or lack a permission.
 * - `not_found`: rejected because the object does not exist.
 * - `rate_limited`: the call had no effect, and a later call may succeed.
 * - `unavailable`: the vendor could not be reached or a read failed. The call had no effect, and a later call may
 *   succeed.
 * - `unknown`: a write timed out, its connection broke, or its response was a 5xx or unreadable. It may have had an
 *   effect, so the caller must check before repeating it.
 */
export type VendorFailure = "refused" | "unauthorized" | "not_found" | "rate_limited" | "unavailable" | "unknown";

interface VendorErrorContext {
  readonly vendor: string;
  /** The call's name in the vendor's API description, for example `createProject`. */
  readonly operation: string;
  /** The vendor's error code, if any, for example `card_declined`. */
  readonly vendorCode?: string;
  /** The vendor's error message, redacted and truncated. Logged and stored with the operation, but never parsed. */
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

export function isFailure(error: unknown, failure: VendorFailure): error is VendorError {
  return error instanceof VendorError && error.failure === failure;
}

/** Waits for a call that removes an object. Succeeds if the object does not exist. */
export async function unlessMissing(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!isFailure(error, "not_found")) throw error;
  });
}
