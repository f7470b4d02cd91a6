interface CatalogEntry {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Its code is a word of OAuth's, which clients of OAuth look for in the member `error`. */
  readonly oauth?: true;
}

/**
 * Every failure a caller can see (contract, section 0). A code is a public contract: the SDKs and their users branch on
 * it, so codes are added, never renamed. The detail is the sentence the caller reads.
 */
const catalog = {
  authentication_failed: { status: 401, title: "Unauthorized", detail: "Authentication failed." },
  email_not_verified: {
    status: 403,
    title: "Email not verified",
    detail: "Verify the email address first: the link is in the mail that signup sent.",
  },
  insufficient_scope: {
    status: 403,
    title: "Insufficient scope",
    detail: "This key may not do that. Use a key with the scope that this route asks for.",
  },
  admin_review_required: {
    status: 403,
    title: "Another admin is needed",
    detail: "You have decided this already. Another admin has to decide the same before it holds.",
  },
  reauthentication_required: {
    status: 403,
    title: "Recent login required",
    detail:
      "This needs a login of the last 15 minutes. Log in again, or send password or totp_code.",
  },
  cross_origin: {
    status: 403,
    title: "Cross-origin request",
    detail: "A request by cookie must come from this service's own pages.",
  },
  not_found: { status: 404, title: "Not found", detail: "There is nothing at this path." },
  developer_not_found: { status: 404, title: "Not found", detail: "There is no such developer." },
  api_key_not_found: { status: 404, title: "Not found", detail: "There is no such API key." },
  session_not_found: { status: 404, title: "Not found", detail: "There is no such session." },
  identity_not_found: {
    status: 404,
    title: "Not found",
    detail: "No identity of this provider is linked to the account.",
  },
  project_not_found: { status: 404, title: "Not found", detail: "There is no such project." },
  link_not_found: { status: 404, title: "Not found", detail: "There is no such link." },
  service_not_found: { status: 404, title: "Not found", detail: "There is no such service." },
  operation_not_found: { status: 404, title: "Not found", detail: "There is no such operation." },
  agent_not_found: { status: 404, title: "Not found", detail: "There is no such agent." },
  agent_suspended: {
    status: 403,
    title: "Agent not active",
    detail: "This agent is not active. Resume it, or act as another.",
  },
  cap_exceeded: {
    status: 403,
    title: "Cap exceeded",
    detail:
      "This would cost more than the cap leaves this month. Raise the cap, or remove something.",
  },
  payment_method_required: {
    status: 402,
    title: "Payment method required",
    detail:
      "This plan costs money, and the project has no payment method that can be charged. Attach one, then try again.",
  },
  provider_not_linked: {
    status: 409,
    title: "Provider not linked",
    detail: "Link the provider to this project first.",
  },
  tos_acceptance_required: {
    status: 409,
    title: "Terms not accepted",
    detail: "The provider's terms have another version now. Read them, then accept that version.",
  },
  link_in_use: {
    status: 409,
    title: "Link in use",
    detail: "Services of this project use the link. Remove them first.",
  },
  invalid_state: {
    status: 422,
    title: "Invalid state",
    detail: "This link is unknown, used or expired. Begin it again.",
  },
  provider_error: {
    status: 502,
    title: "Provider error",
    detail: "The provider refused, or answered what cannot be used. Nothing is left behind.",
  },
  provider_unavailable: {
    status: 503,
    title: "Provider unavailable",
    detail: "The provider cannot be reached right now. Nothing is left behind; try again shortly.",
  },
  variable_not_found: { status: 404, title: "Not found", detail: "There is no such variable." },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    detail: "This path does not take this method. The Allow header names those that it takes.",
  },
  already_exists: { status: 409, title: "Already exists", detail: "It exists already." },
  conflict: {
    status: 409,
    title: "Conflict",
    detail: "Its present state does not allow this.",
  },
  version_conflict: {
    status: 409,
    title: "Version conflict",
    detail: "It was changed since you read it. Read it again, then repeat the change.",
  },
  secret_already_issued: {
    status: 409,
    title: "Secret already issued",
    detail: "The answer to this call held a secret, which is shown once. Rotate to get a new one.",
  },
  idempotency_in_flight: {
    status: 409,
    title: "Still in flight",
    detail: "The first request with this Idempotency-Key is still running. Ask again shortly.",
  },
  payload_too_large: {
    status: 413,
    title: "Payload too large",
    detail: "The body is larger than 256 KiB.",
  },
  misdirected_request: {
    status: 421,
    title: "Misdirected request",
    detail: "In the local profile the Host is 127.0.0.1, localhost or [::1].",
  },
  expectation_failed: {
    status: 417,
    title: "Expectation failed",
    detail: "The only expectation here is 100-continue.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    detail: "Bodies are application/json in UTF-8, without a content encoding.",
  },
  validation_error: { status: 422, title: "Invalid request", detail: "The request is not valid." },
  invalid_token: {
    status: 422,
    title: "Invalid token",
    detail: "This token is unknown, used or expired. Ask for a new mail, then use its link.",
  },
  idempotency_conflict: {
    status: 422,
    title: "Idempotency conflict",
    detail: "This Idempotency-Key was used for another request. Use a new one.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    detail: "Slow down, then try again after the time that Retry-After names.",
  },
  headers_too_large: {
    status: 431,
    title: "Headers too large",
    detail: "The request's headers are too large.",
  },
  bad_request: { status: 400, title: "Bad request", detail: "This is not an HTTP request." },
  request_timeout: {
    status: 408,
    title: "Request timeout",
    detail: "The request did not arrive in time.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    detail: "Something went wrong here. Name the request_id when you ask for help.",
  },
  service_unavailable: {
    status: 503,
    title: "Service unavailable",
    detail:
      "A part of the service cannot answer right now. Nothing was changed; try again shortly.",
  },
  authorization_pending: {
    status: 400,
    title: "Not decided yet",
    detail: "Nobody has decided about this device yet. Ask again after the interval.",
    oauth: true,
  },
  slow_down: {
    status: 400,
    title: "Asked too often",
    detail: "Wait for the interval, which is five seconds longer from now on.",
    oauth: true,
  },
  access_denied: {
    status: 400,
    title: "Access denied",
    detail: "The device was refused, or its key was revoked before it was collected.",
    oauth: true,
  },
  expired_token: {
    status: 400,
    title: "Code expired",
    detail: "Nobody decided in time, or the device came too late. Begin again.",
    oauth: true,
  },
  invalid_grant: {
    status: 400,
    title: "Invalid code",
    detail: "This device code is unknown, or its pair has been handed out. Begin again.",
    oauth: true,
  },
} as const satisfies Readonly<Record<string, CatalogEntry>>;

export type ErrorCode = keyof typeof catalog;

/** Whether a stored text is a code of the catalog. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalog, text);
}

export interface InvalidField {
  /** Where the value stood, part of the request first: `/body/amount`, `/query/page`, `/headers/x-agent-id`. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

interface ErrorContext {
  /** For the log only. May name rows, constraints and vendors; is never sent to the caller. */
  readonly internal?: string;
  /** A public sentence that says more than the catalog's. Never for a 401. */
  readonly detail?: string;
  /** The values the caller can mend, sent beside the detail. */
  readonly errors?: readonly InvalidField[];
  /** Sent as `Retry-After`. Where it is absent, 429 and 503 say one second. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The only error type thrown on purpose. Anything else that is thrown is a bug and becomes a 500. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly internal: string | undefined;
  readonly errors: readonly InvalidField[];
  readonly retryAfterSeconds: number;

  constructor(code: ErrorCode, context: ErrorContext = {}) {
    super(context.detail ?? catalog[code].detail, { cause: context.cause });
    this.code = code;
    this.status = catalog[code].status;
    this.internal = context.internal;
    this.errors = context.errors ?? [];
    this.retryAfterSeconds = context.retryAfterSeconds ?? 1;
  }
}

/** The one 401. Why is for the log alone. */
export function authenticationFailed(internal: string): AppError {
  return new AppError("authentication_failed", { internal });
}

/** One invalid value, as the error that says so. */
export function invalidField(pointer: string, code: string, detail: string): AppError {
  return new AppError("validation_error", { errors: [{ pointer, code, detail }] });
}

/** The problem body (RFC 9457) of every error. Built from the catalog and what was meant for the caller: nothing internal leaks. */
export function problemBody(error: AppError, requestId: string) {
  const { code, status } = error;
  return {
    type: `/errors/${code}`,
    title: catalog[code].title,
    status,
    detail: status === 401 ? catalog.authentication_failed.detail : error.message,
    code,
    request_id: requestId,
    retryable: status === 429 || status === 503 || code === "idempotency_in_flight",
    errors: [...error.errors],
    ...("oauth" in catalog[code] ? { error: code } : {}),
  };
}
