import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "../foundation/errors.ts";
import { type Activity, observers, type Span } from "../foundation/telemetry/activities.ts";
import { singleHeader } from "./auth/request-headers.ts";
import { pathOfRoute } from "./logged-request.ts";
import type { Server } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** When the request's head was read, as a value of `performance.now()`. Zero if requests are not counted. */
    receivedAtMs: number;
    /** The code of the error that the response contains. Null if it contains none. */
    errorCode: ErrorCode | null;
    /** Null if the request is not traced. */
    traced: { readonly activity: Activity; readonly span: Span } | null;
  }
}

/** Notes when a request begins, if requests are counted. */
export function noteReceived(request: FastifyRequest): void {
  if (observers.meter !== undefined) request.receivedAtMs = performance.now();
}

/** Counts the request. It ends when its response begins. */
export function noteAnswered(request: FastifyRequest, reply: FastifyReply): void {
  const { meter } = observers;
  if (meter === undefined || request.receivedAtMs === 0) return;
  const activity = activityOf(request);
  noteOutcome(activity, request, reply);
  meter(activity, (performance.now() - request.receivedAtMs) / 1_000);
}

/** Adds the hooks that make a span of each request, unless nothing is traced. */
export function traceRequests(server: Server): void {
  if (observers.startSpan === undefined) return;
  server.addHook("onRequest", (request, _reply, done) => {
    const activity = activityOf(request);
    activity.facts["purser.request_id"] = request.id;
    const span = observers.startSpan?.(activity);
    if (span === undefined) return done();
    request.traced = { activity, span };
    span.run(done);
  });
  server.addHook("onSend", (request, reply, _payload, done) => {
    if (request.traced !== null) {
      noteOutcome(request.traced.activity, request, reply);
      request.traced.span.end();
    }
    done();
  });
}

function activityOf(request: FastifyRequest): Activity {
  const { url } = request.routeOptions;
  return {
    kind: "request",
    name: url === undefined ? "unmatched" : pathOfRoute(url),
    facts: { "http.request.method": request.method },
    traceparent: singleHeader(request, "traceparent"),
  };
}

function noteOutcome({ facts }: Activity, { errorCode }: FastifyRequest, { statusCode }: FastifyReply): void {
  facts["http.response.status_code"] = statusCode;
  if (errorCode !== null) facts["purser.error_code"] = errorCode;
}
