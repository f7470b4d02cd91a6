import { AppError } from "../../../foundation/errors.ts";
import { VendorError } from "../../../ports/vendor-error.ts";

/**
 * The request field to report if the processor rejects the call, or null if the call contains no value from the
 * request.
 */
type RejectedField = "/body/payment_method_id" | null;

/** Calls the payment processor and converts a VendorError to an AppError for the caller. */
export async function callProcessor<Answer>(call: () => Promise<Answer>, field: RejectedField): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof VendorError ? appErrorOf(error, field) : error;
  }
}

function appErrorOf(error: VendorError, pointer: RejectedField): AppError {
  const { failure, vendorCode, vendorMessage, retryAfterSeconds } = error;
  const context = { internal: `${error.message}: ${vendorMessage ?? ""}`, cause: error };
  switch (failure) {
    case "refused":
    case "not_found":
      if (pointer === null) return unusable(context);
      return new AppError("validation_error", {
        ...context,
        errors: [fieldOf(pointer, failure, vendorCode)],
      });
    case "unauthorized":
      return unusable(context);
    default:
      return new AppError("provider_unavailable", {
        ...context,
        detail: "The payment processor did not respond. Repeat the request to continue where this one stopped.",
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      });
  }
}

function fieldOf(pointer: string, failure: "refused" | "not_found", vendorCode = "refused") {
  return failure === "not_found"
    ? { pointer, code: "unknown", detail: "is unknown to the payment processor" }
    : { pointer, code: vendorCode, detail: "was rejected by the payment processor" };
}

function unusable(context: { readonly internal: string; readonly cause: VendorError }): AppError {
  const detail = "The payment processor rejected Purser's request. Include the request_id when you contact support.";
  return new AppError("provider_error", { ...context, detail });
}
