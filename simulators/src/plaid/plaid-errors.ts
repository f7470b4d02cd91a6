import { randomBytes } from "node:crypto";
import type { RequestProblem, VendorErrors, VendorResponse } from "../kit/vendor-simulator.ts";

/** The type, the code and the message of an error (https://plaid.com/docs/errors). */
export type PlaidError = readonly [type: string, code: string, message: string];

export const LOGIN_REQUIRED: PlaidError = [
  "ITEM_ERROR",
  "ITEM_LOGIN_REQUIRED",
  "the user must log in at the bank again",
];

export function newRequestId(): string {
  return randomBytes(8).toString("hex").slice(1);
}

/** Returns an error in the form that it has in responses, items and webhooks. */
export function errorFields([error_type, error_code, error_message]: PlaidError) {
  return { error_type, error_code, error_message, display_message: null };
}

function response(status: number, ...error: PlaidError): VendorResponse {
  return { status, body: { ...errorFields(error), request_id: newRequestId() } };
}

/** An error that a route throws. The client receives it in Plaid's format, with the status 400. */
export class PlaidApiError extends Error {
  override readonly name = "PlaidApiError";
  readonly response: VendorResponse;

  constructor(...error: PlaidError) {
    super(error[2]);
    this.response = response(400, ...error);
  }
}

export const plaidErrors: VendorErrors = {
  unauthorized: () => response(400, "INVALID_INPUT", "INVALID_API_KEYS", "invalid client_id or secret provided"),
  invalid: (problems) => response(400, "INVALID_REQUEST", codeOf(problems), messageOf(problems)),
  notFound: () => response(404, "INVALID_REQUEST", "NOT_FOUND", "not found"),
  refused: () => response(400, "INVALID_INPUT", "INVALID_PRODUCT", "client is not authorized to access this product"),
  duplicate: (applied) => applied,
  rateLimited: () => response(429, "RATE_LIMIT_EXCEEDED", "RATE_LIMIT", "rate limit exceeded"),
  serverError: () => response(500, "API_ERROR", "INTERNAL_SERVER_ERROR", "an unexpected error occurred"),
};

/** The messages are those of `createSchemaCheck` and of the OpenAPI check. */
function codeOf(problems: readonly RequestProblem[]): string {
  if (problems.some(({ message }) => message === "is not known")) return "UNKNOWN_FIELDS";
  return problems.some(({ message }) => message === "is required") ? "MISSING_FIELDS" : "INVALID_FIELD";
}

function messageOf(problems: readonly RequestProblem[]): string {
  return problems.map(({ path, message }) => `${path} ${message}`.trim()).join(", ");
}
