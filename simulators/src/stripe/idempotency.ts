import type { IdempotencyRules } from "../kit/idempotency.ts";
import type { VendorResponse } from "../kit/vendor-simulator.ts";
import { newRequestId, stripeError } from "./stripe-errors.ts";

const KEY_LENGTH_MAX = 255;

/** Stripe's idempotency keys are optional. */
export const STRIPE_IDEMPOTENCY: IdempotencyRules = {
  check: (key) =>
    typeof key === "string" && key.length > KEY_LENGTH_MAX
      ? stripeError(400, { message: "Idempotency keys are at most 255 characters." })
      : undefined,
  inUse: () =>
    stripeError(409, {
      type: "idempotency_error",
      code: "idempotency_key_in_use",
      message: "There is currently another in-progress request using this Idempotent Key.",
    }),
  otherParameters: () =>
    stripeError(400, {
      type: "idempotency_error",
      message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
    }),
  first: (response) =>
    withHeaders(response, { "original-request": response.headers?.["request-id"] ?? newRequestId() }),
  repeated: (response) => withHeaders(response, { "request-id": newRequestId(), "idempotent-replayed": "true" }),
};

function withHeaders(response: VendorResponse, headers: Readonly<Record<string, string>>): VendorResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}
