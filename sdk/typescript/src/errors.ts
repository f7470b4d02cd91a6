/** Everything that this SDK throws on purpose. Mistakes in how it is called are plain `PurserError`s. */
export class PurserError extends Error {
  override readonly name: string = this.constructor.name;
}

/** No answer came, or only a part of one: whether the service acted is not known. Sending again is safe. */
export class APIConnectionError extends PurserError {}

/** No answer came within the time given to one attempt. */
export class APITimeoutError extends APIConnectionError {}

/** An answer was not signed by the holder of the API key, or is not what was signed. Use nothing of it. */
export class SignatureVerificationError extends PurserError {}

/** One thing that is wrong with a request. `pointer` begins with its part: `/body/amount`, `/query/page`. */
export interface ProblemPart {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** What would let the request through, and who (`human`, …) has to do it. */
export interface NextAction {
  readonly type: string;
  readonly actor?: string;
  readonly url?: string;
  readonly expires_at?: string;
}

/** An RFC 9457 problem as the service writes it; members that are not listed here are kept. */
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

export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** Empty where the body was not a problem, as with an answer of some proxy on the way. */
  readonly problem: Problem;
}

/** The service answered, and the answer is not a success. */
export class APIError extends PurserError {
  readonly status: number;
  /** Stable and made for programs, such as `policy_denied`; undefined where no problem body came. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly detail: string | undefined;
  readonly errors: readonly ProblemPart[];
  /** Whether the service says that the same request may succeed later; undefined where it says nothing. */
  readonly retryable: boolean | undefined;
  readonly nextAction: NextAction | undefined;
  readonly headers: Headers;
  /** The whole body, with members that only some errors have (`decision`, `wallet_id`, …). */
  readonly problem: Problem;

  constructor({ status, headers, problem }: Refusal) {
    const requestId = problem.request_id ?? headers.get("x-request-id") ?? undefined;
    super(describe(status, problem, requestId));
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

export class BadRequestError extends APIError {}

/** 401. The service never tells which check failed; a wrong clock has been ruled out by the time this is thrown. */
export class AuthenticationError extends APIError {}

/** 402. Something has to be paid, or a means to pay is missing or was declined; `nextAction` says who does what. */
export class PaymentRequiredError extends APIError {}

export class PermissionDeniedError extends APIError {}

export class NotFoundError extends APIError {}

export class ConflictError extends APIError {}

/** 422. `errors` names each field at fault. */
export class ValidationError extends APIError {}

export class RateLimitError extends APIError {
  /** How long the service asks to be left alone, in seconds; undefined where it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal, retryAfterSeconds?: number) {
    super(refusal);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 5xx. */
export class ServerError extends APIError {}

/** 502. A provider refused, or answered what cannot be understood. */
export class BadGatewayError extends ServerError {}

/** 503. The service, or the provider that it has to ask, is out of reach. */
export class ServiceUnavailableError extends ServerError {}

const ERROR_BY_STATUS: ReadonlyMap<number, new (refusal: Refusal) => APIError> = new Map([
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

/** The error class of a refusal. `retryAfterSeconds` is what `Retry-After` came to. */
export function errorOf(refusal: Refusal, retryAfterSeconds?: number): APIError {
  if (refusal.status === 429) return new RateLimitError(refusal, retryAfterSeconds);
  const ErrorOfClass = refusal.status >= 500 ? ServerError : APIError;
  const ErrorOfStatus = ERROR_BY_STATUS.get(refusal.status) ?? ErrorOfClass;
  return new ErrorOfStatus(refusal);
}

function describe(status: number, problem: Problem, requestId: string | undefined): string {
  const told = problem.detail ?? problem.title ?? "The answer carries no explanation.";
  const code = problem.code === undefined ? "" : ` ${problem.code}`;
  const request = requestId === undefined ? "" : ` (request ${requestId})`;
  return `${status}${code}: ${told}${request}`;
}
