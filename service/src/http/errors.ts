import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, isRetryable, problemBody } from "../foundation/errors.ts";
import { redact } from "../foundation/redact.ts";
import { RATE_LIMIT_HEADERS } from "./auth/rate-limit-headers.ts";

/** Converts a thrown value to a problem response and logs it. */
export function replyWithError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const error = isAborted(thrown, request) ? new AppError("bad_request") : toAppError(thrown);
  request.errorCode = error.code;
  const level = error.status >= 500 ? "error" : "info";
  request.log[level](
    {
      requestId: request.id,
      code: error.code,
      status: error.status,
      internal: redact(error.internal),
      // The stack of an unexpected error includes the error's message, which can contain a secret.
      cause: error.status >= 500 ? redact(describe(error.cause)) : undefined,
    },
    "request failed",
  );
  if (isRetryable(error)) {
    reply.header("retry-after", String(error.retryAfterSeconds));
  }
  if (error.status === 401) removeCredentialHeaders(reply);
  return sendProblem(reply, error, request.id);
}

/**
 * Removes the response headers that only a request with a valid credential gets. The replay guard runs after they are
 * set, but its 401 must look like any other 401.
 */
function removeCredentialHeaders(reply: FastifyReply): void {
  for (const name of ["x-svc-mode", "x-svc-key-expires", ...RATE_LIMIT_HEADERS]) {
    reply.removeHeader(name);
  }
}

/** Returns true if the client closed the connection before the request was complete. This is not an internal error. */
function isAborted(thrown: FastifyError | Error, { raw }: FastifyRequest): boolean {
  return "code" in thrown && thrown.code === "ECONNRESET" && !raw.complete;
}

/** Sends an RFC 9457 problem. It is serialized here, because a route's response schema could drop fields. */
function sendProblem(reply: FastifyReply, error: AppError, requestId: string) {
  return reply
    .code(error.status)
    .header("content-type", "application/problem+json; charset=utf-8")
    .header("cache-control", "no-store")
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problemBody(error, requestId));
}

function describe(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** Maps Fastify's error codes to the codes that callers receive. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
  FST_ERR_BAD_URL: "not_found",
};

function toAppError(thrown: FastifyError | Error): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!("code" in thrown)) return new AppError("internal_error", { cause: thrown });
  const code = FRAMEWORK_CODES[thrown.code] ?? "internal_error";
  return new AppError(code, { cause: thrown });
}
