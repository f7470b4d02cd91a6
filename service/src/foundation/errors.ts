import type { Scope } from "./vocabulary.ts";
import { catalog } from "./wire/error-catalog.ts";
import type { Decision, NextAction } from "./wire/problem.ts";

export type ErrorCode = keyof typeof catalog;

/** Returns true if the text is an error code. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalog, text);
}

export function statusOf(code: ErrorCode): number {
  return catalog[code].status;
}

function titleOf(code: ErrorCode): string {
  const entry = catalog[code];
  return "title" in entry && entry.title
    ? entry.title
    : code.charAt(0).toUpperCase() + code.slice(1).replaceAll("_", " ");
}

/** Returns the default detail. With 401 and 404 it says only what happened, because the rest could reveal too much. */
function detailOf(code: ErrorCode): string {
  const { status, detail, next } = catalog[code];
  return status === 401 || status === 404 ? detail : `${detail} ${next}`;
}

/** Returns the errors as rows of a Markdown table. */
export function describeErrors(): string {
  return Object.keys(catalog)
    .filter(isErrorCode)
    .map((code) => `| \`${code}\` | ${statusOf(code)} | ${detailOf(code)} |`)
    .join("\n");
}

export interface InvalidField {
  /** JSON pointer that starts with the part of the request: `/body/amount`, `/query/page`, `/headers/x-agent-id`. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

interface ErrorContext {
  /** For the log only, never sent. Can contain row ids and the names of constraints and vendors. */
  readonly internal?: string;
  /** Replaces the default `detail` of the error code. Never set for a 401. */
  readonly detail?: string;
  /** The invalid values, sent in addition to the detail. */
  readonly errors?: readonly InvalidField[];
  /** Sent as `Retry-After` if the error is retryable. Default: one second. */
  readonly retryAfterSeconds?: number;
  /** The numbers behind a refusal. */
  readonly decision?: Decision | undefined;
  /** What has to be done before the request can succeed. */
  readonly nextAction?: NextAction | undefined;
  /** The wallet that exists already. */
  readonly walletId?: string | undefined;
  readonly cause?: unknown;
}

/** The error type for expected failures. Any other error that reaches the HTTP layer is a bug and becomes a 500. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly internal: string | undefined;
  readonly errors: readonly InvalidField[];
  readonly retryAfterSeconds: number;
  readonly decision: Decision | undefined;
  readonly nextAction: NextAction | undefined;
  readonly walletId: string | undefined;

  constructor(code: ErrorCode, context: ErrorContext = {}) {
    super(context.detail ?? detailOf(code), { cause: context.cause });
    this.code = code;
    this.status = catalog[code].status;
    this.internal = context.internal;
    this.errors = context.errors ?? [];
    this.retryAfterSeconds = context.retryAfterSeconds ?? 1;
    this.decision = context.decision;
    this.nextAction = context.nextAction;
    this.walletId = context.walletId;
  }
}

/** Creates a 401. All 401 responses are identical, and the cause is only logged. */
export function authenticationFailed(internal: string): AppError {
  return new AppError("authentication_failed", { internal });
}

/** Creates a 403 for a key without this scope. */
export function missingScope(scope: Scope): AppError {
  return new AppError("insufficient_scope", {
    detail: `The API key does not have the scope ${scope}. Use a key with that scope.`,
  });
}

/** Creates a 422 for one invalid value. */
export function invalidField(pointer: string, code: string, detail: string): AppError {
  return new AppError("validation_error", { errors: [{ pointer, code, detail }] });
}

/** Returns true if the same call can succeed later. The response then has `Retry-After`. */
export function isRetryable({ status, code }: AppError): boolean {
  return status === 429 || status === 503 || RETRYABLE_CONFLICTS.has(code);
}

const RETRYABLE_CONFLICTS: ReadonlySet<ErrorCode> = new Set(["idempotency_in_flight", "signature_replayed"]);

/**
 * Returns the problem body of an error (RFC 9457). It contains only texts from the catalog and texts written for the
 * caller.
 */
export function problemBody(error: AppError, requestId: string) {
  const { code, status, decision, nextAction, walletId } = error;
  return {
    type: `/errors/${code}`,
    title: titleOf(code),
    status,
    detail: status === 401 ? catalog.authentication_failed.detail : error.message,
    code,
    request_id: requestId,
    retryable: isRetryable(error),
    errors: [...error.errors],
    ...(decision !== undefined && { decision }),
    ...(nextAction !== undefined && { next_action: nextAction }),
    ...(walletId !== undefined && { wallet_id: walletId }),
    ...("oauth" in catalog[code] ? { error: code } : {}),
  };
}
