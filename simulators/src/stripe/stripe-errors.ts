import { randomUUID } from "node:crypto";
import type { RequestProblem, VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

interface StripeErrorFields {
  readonly message: string;
  /** Default: `invalid_request_error`. */
  readonly type?: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  /** The setup intent whose card was declined. */
  readonly setup_intent?: object;
  readonly payment_method?: object;
}

/** Returns an error response in Stripe's format. */
export function stripeError(status: number, fields: StripeErrorFields): VendorResponse {
  const requestId = newRequestId();
  const { code } = fields;
  return {
    status,
    headers: { "request-id": requestId },
    body: {
      error: {
        type: "invalid_request_error",
        ...fields,
        ...(code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` }),
        request_log_url: `https://dashboard.stripe.com/logs/${requestId}`,
      },
    },
  };
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "").slice(0, 14)}`;
}

/** An error that a route throws. The client receives it in Stripe's format. */
export class StripeApiError extends Error {
  override readonly name = "StripeApiError";
  readonly response: VendorResponse;

  constructor(status: number, fields: StripeErrorFields) {
    super(fields.message);
    this.response = stripeError(status, fields);
  }
}

/** Returns the error for a missing object: 404 if its ID is in the path, 400 if it is in a parameter. */
export function resourceMissing(what: string, id: string, param: string, status: 400 | 404): StripeApiError {
  return new StripeApiError(status, {
    code: "resource_missing",
    message: `No such ${what}: '${id}'`,
    param,
  });
}

export const stripeErrors: VendorErrors = {
  unauthorized: () => stripeError(401, { message: "Invalid API Key provided." }),
  invalid,
  notFound: () => stripeError(404, { message: "Unrecognized request URL." }),
  refused: () =>
    stripeError(402, {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      message: "Your card was declined.",
    }),
  duplicate: (applied) => ({
    ...applied,
    headers: { ...applied.headers, "idempotent-replayed": "true" },
  }),
  rateLimited: () => ({
    ...stripeError(429, { code: "rate_limit", message: "Request rate limit exceeded." }),
  }),
  serverError: () => stripeError(500, { type: "api_error", message: "An unknown error occurred." }),
};

/** Returns an error for only one of the problems, as Stripe does. An unknown parameter takes precedence. */
function invalid(problems: readonly RequestProblem[]): VendorResponse {
  const problem = problems.find(({ message }) => message === UNKNOWN) ?? problems[0];
  const { path, message } = problem ?? { path: "", message: "is not readable" };
  const param = path.replace(/\.([^.]+)/g, "[$1]");
  const place = param === "" ? {} : { param };
  if (message === UNKNOWN) {
    const detail = `Received unknown parameter: ${param}`;
    return stripeError(400, { code: "parameter_unknown", message: detail, ...place });
  }
  if (message === REQUIRED) {
    const detail = `Missing required param: ${param}.`;
    return stripeError(400, { code: "parameter_missing", message: detail, ...place });
  }
  return stripeError(400, { message: `Invalid ${param || "request"}: ${message}`, ...place });
}

/** The messages that `createSchemaCheck` and the OpenAPI check use for an unknown field and for a missing field. */
const UNKNOWN = "is not known";
const REQUIRED = "is required";
