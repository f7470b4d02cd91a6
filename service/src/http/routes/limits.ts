import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { callStore } from "../../foundation/deadline.ts";
import { Count, NamedObject } from "../../foundation/wire/fields.ts";
import { presentServerTime, ServerTimeResource } from "../../modules/health/health.ts";
import type { BucketState, TokenBucket } from "../../ports/fast-state.ts";
import { type KeyPrincipal, principalOf } from "../auth/principal.ts";
import { rateLimitPolicy } from "../auth/rate-limit-headers.ts";
import { endpoint, type Route } from "../route.ts";

const getTimeRoute = endpoint("GET /api/v1/svc/time", {
  operationId: "getTime",
  sdk: "time",
  summary: "Get the server's time",
  description:
    "Returns the server's time, which the timestamps of signed requests are compared with. Use it to correct an inaccurate client clock.",
  auth: "public",
  answers: { 200: ServerTimeResource },
  run: async (app) => presentServerTime(app.clock.now()),
});

/** A rate limit that applies to the caller's API key (docs/rules/rate-limits.md). */
const LimitResource = NamedObject("Limit", {
  name: Type.Literal("requests"),
  scope: Type.Literal("key"),
  limit: Count("Size of the token bucket, in requests."),
  remaining: Count("Number of requests that can be made now."),
  reset_seconds: Count("Seconds until the bucket is full again."),
  policy: Type.String({
    description: "The bucket's size and the seconds that an empty bucket takes to refill, for example `600;w=60`.",
    examples: ["1000;w=10"],
  }),
});

const LimitListResource = Type.Object(
  { object: Type.Literal("limits"), data: Type.Array(LimitResource) },
  { $id: "LimitList" },
);

const getLimitsRoute = endpoint("GET /api/v1/svc/limits", {
  operationId: "getLimits",
  sdk: "limits",
  summary: "Get rate limits",
  description:
    "Returns the token bucket of the calling API key. This call uses one token. `data` is empty for dashboard sessions, which have no bucket.",
  auth: "tenant",
  scope: null,
  agentBound: "allowed",
  projectBound: "allowed",
  answers: { 200: LimitListResource },
  run: async (app, request) => {
    const principal = principalOf(request);
    const limits = principal.kind === "api_key" ? [await readRequestLimit(app, principal)] : [];
    return { object: "limits" as const, data: limits };
  },
});

async function readRequestLimit(app: App, { keyHash, bucket }: KeyPrincipal) {
  const nowMs = app.clock.now().getTime();
  const state = await callStore(
    app.fastState.readBucket({ keyHash, bucket, nowMs }),
    app.settings.storeTimeoutMs,
    "reading a bucket",
  );
  return presentLimit(bucket, state);
}

function presentLimit(bucket: TokenBucket, { remaining, resetMs }: BucketState): Static<typeof LimitResource> {
  return {
    name: "requests",
    scope: "key",
    limit: bucket.capacity,
    remaining,
    reset_seconds: Math.ceil(resetMs / 1000),
    policy: rateLimitPolicy(bucket),
  };
}

export const limitRoutes: readonly Route[] = [getTimeRoute, getLimitsRoute];
