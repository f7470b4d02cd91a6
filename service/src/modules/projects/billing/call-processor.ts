import { AppError } from "../../../foundation/errors.ts";
import { VendorError } from "../../../ports/vendor-error.ts";

/** What the payment processor refuses is one value of the request's; or else it is a fault between it and us. */
type Blamed = "/body/payment_method_id" | null;

/** Asks the payment processor, and has what it answers instead as the caller may see it. Anything else is thrown on. */
export async function callProcessor<Answer>(
  ask: () => Promise<Answer>,
  blamed: Blamed,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof VendorError ? refusalOf(error, blamed) : error;
  }
}

function refusalOf(error: VendorError, pointer: Blamed): AppError {
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
        detail:
          "The payment processor does not answer right now. The same call again goes on where this one stopped.",
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      });
  }
}

function fieldOf(pointer: string, failure: "refused" | "not_found", vendorCode = "refused") {
  return failure === "not_found"
    ? { pointer, code: "unknown", detail: "is not there at the payment processor" }
    : { pointer, code: vendorCode, detail: "is refused by the payment processor" };
}

function unusable(context: { readonly internal: string; readonly cause: VendorError }): AppError {
  const detail = "The payment processor refused what we asked of it.";
  return new AppError("provider_error", { ...context, detail });
}
