import type { Problem as ApiProblem, Decision, NextAction } from "./api-types.ts";

/**
 * The base class of all SDK errors. Thrown directly for incorrect use of the SDK, and for a successful response whose
 * body is invalid.
 */
export class PurserError extends Error {
  override readonly name: string = this.constructor.name;
}

/**
 * No complete response arrived, so it is unknown whether the request was executed. If a POST or PATCH is retried with
 * the same `idempotencyKey`, it is executed only once.
 */
export class APIConnectionError extends PurserError {}

/** No response arrived within `timeoutMs`. */
export class APITimeoutError extends APIConnectionError {}

/** The signature or fingerprint of an env bundle, a signed statement or a webhook does not match. Do not use it. */
export class SignatureVerificationError extends PurserError {}

/** The body of an error response: an RFC 9457 problem (docs/rules/errors.md). It can have additional members. */
export type Problem = Partial<Omit<ApiProblem, "code">> & {
  readonly code?: string;
  readonly [member: string]: unknown;
};

/** One error in a request. `pointer` identifies the invalid part, for example `/body/amount` or `/query/page`. */
export type ProblemPart = NonNullable<ApiProblem["errors"]>[number];

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if the response body is not JSON, for example if a proxy sent the response. */
  readonly problem: Problem;
  readonly retryAfterSeconds?: number | undefined;
}

/** Thrown for an error response. */
export class APIError extends PurserError {
  readonly status: number;
  /** The stable error code, for example `policy_denied`. Undefined if the body is not an RFC 9457 problem. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly detail: string | undefined;
  readonly errors: readonly ProblemPart[];
  /** Whether the same request can succeed later. Undefined if the body is not an RFC 9457 problem. */
  readonly retryable: boolean | undefined;
  /** The numbers behind a refusal: a limit that would be exceeded, or a balance that is too small. */
  readonly decision: Decision | undefined;
  /** What must be done before a retry can succeed, and who must do it (`actor`). */
  readonly nextAction: NextAction | undefined;
  readonly headers: Headers;
  /** The response body, including members that only some errors have. Empty if the body is not JSON. */
  readonly problem: Problem;
  /** The delay in the `Retry-After` header, in seconds. Undefined if there is no such header. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, headers, problem, retryAfterSeconds }: ErrorResponse) {
    const requestId = problem.request_id ?? headers.get("x-request-id") ?? undefined;
    const explanation = problem.detail ?? problem.title ?? "The response has no detail.";
    const code = problem.code === undefined ? "" : ` ${problem.code}`;
    super(
      `${status}${code}: ${explanation}${firstOf(problem.errors)}${requestId === undefined ? "" : ` (request ${requestId})`}`,
    );
    this.status = status;
    this.code = problem.code;
    this.requestId = requestId;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.retryable = problem.retryable;
    this.decision = problem.decision;
    this.nextAction = problem.next_action;
    this.headers = headers;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Returns an error of the class that matches the response's status. */
  static from(response: ErrorResponse): APIError {
    const ErrorOfClass = response.status >= 500 ? ServerError : APIError;
    return new (ERROR_BY_STATUS.get(response.status) ?? ErrorOfClass)(response);
  }
}

/** Returns the first invalid part of the request, and how many others there are. A proxy can send errors of another form. */
function firstOf(errors: unknown): string {
  const [first, ...others]: unknown[] = Array.isArray(errors) ? errors : [];
  if (!(first instanceof Object && "pointer" in first && "detail" in first)) return "";
  return ` ${first.pointer}: ${first.detail}${others.length > 0 ? ` (and ${others.length} more)` : ""}`;
}

/** Thrown for a 400 response. */
export class BadRequestError extends APIError {}

/**
 * Thrown for a 401 response. The response does not reveal which check failed. A wrong local clock is not the cause,
 * because the SDK corrects for it.
 */
export class AuthenticationError extends APIError {}

/**
 * Thrown for a 402 response: a payment is outstanding, or the payment method is missing or was declined. `nextAction`
 * describes the next step.
 */
export class PaymentRequiredError extends APIError {}

/** Thrown for a 403 response. */
export class PermissionDeniedError extends APIError {}

/** Thrown for a 404 response. */
export class NotFoundError extends APIError {}

/** Thrown for a 409 response. */
export class ConflictError extends APIError {}

/** Thrown for a 422 response. `errors` lists the invalid fields. */
export class ValidationError extends APIError {}

/** Thrown for a 429 response. */
export class RateLimitError extends APIError {}

/** Thrown for a 5xx response. */
export class ServerError extends APIError {}

/** Thrown for a 502 response: a provider rejected the request or sent an invalid response. */
export class BadGatewayError extends ServerError {}

/** Thrown for a 503 response: the server or a provider is unavailable. */
export class ServiceUnavailableError extends ServerError {}

const ERROR_BY_STATUS: ReadonlyMap<number, new (response: ErrorResponse) => APIError> = new Map([
  [400, BadRequestError],
  [401, AuthenticationError],
  [402, PaymentRequiredError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, ValidationError],
  [429, RateLimitError],
  [502, BadGatewayError],
  [503, ServiceUnavailableError],
]);
