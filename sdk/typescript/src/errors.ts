/** The base class of all errors of this SDK. Thrown directly if the SDK is called in a wrong way. */
export class PurserError extends Error {
  override readonly name: string = this.constructor.name;
}

/**
 * No complete response arrived, so the request may or may not have been executed. A retry of a POST or PATCH with the
 * same `idempotencyKey` executes it once.
 */
export class APIConnectionError extends PurserError {}

/** No response arrived within `timeoutMs`. */
export class APITimeoutError extends APIConnectionError {}

/** The signature or fingerprint of an env bundle does not match. Do not use the bundle. */
export class SignatureVerificationError extends PurserError {}

/** One error of a request. `pointer` starts with the part of the request: `/body/amount`, `/query/page`. */
export interface ProblemPart {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** The action that makes a later attempt succeed, and who takes it (`actor`: `human`, …). */
export interface NextAction {
  readonly type: string;
  readonly actor?: string;
  readonly url?: string;
  readonly expires_at?: string;
}

/** The body of an error response: an RFC 9457 problem (docs/api.md, section 4). It can have more members. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly retryable?: boolean;
  readonly errors?: readonly ProblemPart[];
  readonly next_action?: NextAction;
  readonly decision?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if the body is not a problem, for example in a response of a proxy. */
  readonly problem: Problem;
}

/** An error response. */
export class APIError extends PurserError {
  readonly status: number;
  /** The stable error code, for example `policy_denied`. Undefined if the body is not a problem. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly detail: string | undefined;
  readonly errors: readonly ProblemPart[];
  /** Whether the same request can succeed later. Undefined if the body is not a problem. */
  readonly retryable: boolean | undefined;
  readonly nextAction: NextAction | undefined;
  readonly headers: Headers;
  /** The whole body, with the members that only some errors have (`decision`, `wallet_id`, …). */
  readonly problem: Problem;

  constructor({ status, headers, problem }: ErrorResponse) {
    const requestId = problem.request_id ?? headers.get("x-request-id") ?? undefined;
    super(errorMessage(status, problem, requestId));
    this.status = status;
    this.code = problem.code;
    this.requestId = requestId;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.retryable = problem.retryable;
    this.nextAction = problem.next_action;
    this.headers = headers;
    this.problem = problem;
  }
}

/** 400. */
export class BadRequestError extends APIError {}

/** 401. The response does not say which check failed. A wrong local clock is not the cause: the SDK corrects it. */
export class AuthenticationError extends APIError {}

/** 402. A payment is due, or the payment method is missing or declined. `nextAction` says what to do. */
export class PaymentRequiredError extends APIError {}

/** 403. */
export class PermissionDeniedError extends APIError {}

/** 404. */
export class NotFoundError extends APIError {}

/** 409. */
export class ConflictError extends APIError {}

/** 422. `errors` lists the invalid fields. */
export class ValidationError extends APIError {}

/** 429. */
export class RateLimitError extends APIError {
  /** The `Retry-After` header in seconds. Undefined if the response has none. */
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: ErrorResponse, retryAfterSeconds?: number) {
    super(refusal);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 5xx. */
export class ServerError extends APIError {}

/** 502. A provider refused the request or sent an invalid response. */
export class BadGatewayError extends ServerError {}

/** 503. The server or a provider is unavailable. */
export class ServiceUnavailableError extends ServerError {}

const ERROR_BY_STATUS: ReadonlyMap<number, new (refusal: ErrorResponse) => APIError> = new Map([
  [400, BadRequestError],
  [401, AuthenticationError],
  [402, PaymentRequiredError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, ValidationError],
  [502, BadGatewayError],
  [503, ServiceUnavailableError],
]);

/** Creates the error of a response, of the class for its status. */
export function errorFromResponse(refusal: ErrorResponse, retryAfterSeconds?: number): APIError {
  if (refusal.status === 429) return new RateLimitError(refusal, retryAfterSeconds);
  const ErrorOfClass = refusal.status >= 500 ? ServerError : APIError;
  const ErrorOfStatus = ERROR_BY_STATUS.get(refusal.status) ?? ErrorOfClass;
  return new ErrorOfStatus(refusal);
}

function errorMessage(status: number, problem: Problem, requestId: string | undefined): string {
  const explanation = problem.detail ?? problem.title ?? "The response has no detail.";
  const code = problem.code === undefined ? "" : ` ${problem.code}`;
  const request = requestId === undefined ? "" : ` (request ${requestId})`;
  return `${status}${code}: ${explanation}${request}`;
}
