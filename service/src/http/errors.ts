import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, problemBody } from "../foundation/errors.ts";
import { redact } from "../foundation/redact.ts";
import { RATE_LIMIT_HEADERS } from "./auth/rate-limit-headers.ts";

/** The one place where a thrown value becomes an answer. */
export function replyWithError(
  thrown: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const error = hasCallerGone(thrown, request) ? new AppError("bad_request") : toAppError(thrown);
  const level = error.status >= 500 ? "error" : "info";
  request.log[level](
    {
      requestId: request.id,
      code: error.code,
      status: error.status,
      internal: redact(error.internal),
      // A bug's own words may hold a value, so only its place is logged beside its redacted message.
      cause: error.status >= 500 ? redact(describe(error.cause)) : undefined,
    },
    "request refused",
  );
  if (error.status === 429 || error.status === 503 || error.code === "idempotency_in_flight") {
    reply.header("retry-after", String(error.retryAfterSeconds));
  }
  if (error.status === 401) forgetCredential(reply);
  return sendProblem(reply, error, request.id);
}

/** What is known of the caller once the credential is good. The replay guard refuses later, and its 401 is no other one. */
function forgetCredential(reply: FastifyReply): void {
  for (const name of ["x-svc-mode", "x-svc-key-expires", ...RATE_LIMIT_HEADERS]) {
    reply.removeHeader(name);
  }
}

/** Whether the caller went before the request was whole: nobody reads the answer, and it is no fault of ours. */
function hasCallerGone(thrown: FastifyError | Error, { raw }: FastifyRequest): boolean {
  return "code" in thrown && thrown.code === "ECONNRESET" && !raw.complete;
}

/** Sends an error as RFC 9457 has it. The text is made here, so that no route's schema can leave a member out. */
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

/** What the framework itself refuses, in the words of the catalog. */
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
