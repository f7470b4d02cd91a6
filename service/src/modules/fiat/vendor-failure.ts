import { AppError } from "../../foundation/errors.ts";
import { displayNameOf, type VendorName } from "../../foundation/vendors/index.ts";
import { VendorError } from "../../ports/vendor-error.ts";

/** Throws the caller's error for a vendor's failure. The vendor's own text is only logged. */
export function vendorFailure(error: unknown): never {
  if (!(error instanceof VendorError)) throw error;
  const { vendor, failure, vendorMessage, retryAfterSeconds } = error;
  const name = displayNameOf(vendor as VendorName);
  const context = { internal: `${error.message}: ${vendorMessage ?? ""}`, cause: error };
  if (failure === "unavailable" || failure === "unknown" || failure === "rate_limited") {
    throw new AppError("provider_unavailable", {
      ...context,
      detail: `${name} did not respond. Repeat the request.`,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  const detail = `${name} rejected the request. Include the request_id when you contact support.`;
  throw new AppError("provider_error", { ...context, detail });
}
