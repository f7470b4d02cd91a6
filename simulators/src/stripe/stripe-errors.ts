import { randomUUID } from "node:crypto";
import type { RequestProblem, VendorAnswer, VendorErrors } from "../kit/vendor-simulator.ts";

interface StripeErrorFields {
  readonly message: string;
  /** `invalid_request_error` where absent. */
  readonly type?: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  /** Of a declined setup. */
  readonly setup_intent?: object;
  readonly payment_method?: object;
}

/** Stripe's one envelope. */
export function stripeError(status: number, fields: StripeErrorFields): VendorAnswer {
  const requestId = newRequestId();
  const { code } = fields;
  return {
    status,
    headers: { "request-id": requestId },
    body: {
      error: {
        type: "invalid_request_error",
        ...fields,
        ...(code === undefined
          ? {}
          : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` }),
        request_log_url: `https://dashboard.stripe.com/logs/${requestId}`,
      },
    },
  };
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "").slice(0, 14)}`;
}

/** Thrown where Stripe answers with an error. */
export class StripeRefusal extends Error {
  override readonly name = "StripeRefusal";
  readonly answer: VendorAnswer;

  constructor(status: number, fields: StripeErrorFields) {
    super(fields.message);
    this.answer = stripeError(status, fields);
  }
}

/** 404 for an object that the path names, 400 for one that a parameter does. */
export function missing(what: string, id: string, param: string, status: 400 | 404): StripeRefusal {
  return new StripeRefusal(status, {
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

/** Stripe names one problem at a time. */
function invalid(problems: readonly RequestProblem[]): VendorAnswer {
  const problem = problems.find(({ message }) => message === UNKNOWN) ?? problems[0];
  const { path, message } = problem ?? { path: "", message: "is not readable" };
  const param = path.replace(/\.([^.]+)/g, "[$1]");
  const place = param === "" ? {} : { param };
  if (message === UNKNOWN) {
    const told = `Received unknown parameter: ${param}`;
    return stripeError(400, { code: "parameter_unknown", message: told, ...place });
  }
  if (message === REQUIRED) {
    const told = `Missing required param: ${param}.`;
    return stripeError(400, { code: "parameter_missing", message: told, ...place });
  }
  return stripeError(400, { message: `Invalid ${param || "request"}: ${message}`, ...place });
}

/** In the kit's words. */
const UNKNOWN = "is not known";
const REQUIRED = "is required";
