import { Type } from "typebox";
import type { App } from "../../app.ts";
import { callStore } from "../../foundation/deadline.ts";
import { credentialErrors } from "../../foundation/wire/problem.ts";
import type { KeyPrincipal } from "../auth/principal.ts";
import { rateLimitPolicy } from "../auth/rate-limit-headers.ts";
import { principalOf, type Server } from "../route.ts";

const LimitOut = Type.Object(
  {
    name: Type.Literal("requests"),
    scope: Type.Literal("key"),
    limit: Type.Integer({ description: "Size of the token bucket, in requests." }),
    remaining: Type.Integer({ description: "Tokens left, after this call." }),
    reset_seconds: Type.Integer({ description: "Seconds until the bucket is full." }),
    policy: Type.String({
      examples: ["1000;w=10"],
      description: "The bucket's size, and the seconds in which it fills.",
    }),
  },
  { $id: "Limit" },
);

export function getLimitsRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/limits",
    config: { auth: "tenant", scope: null, agentBound: "allowed" },
    schema: {
      operationId: "getLimits",
      tags: ["Limits"],
      summary: "Get rate limits",
      description:
        "Returns the token bucket of the calling API key. The call itself takes one token. A dashboard session has no bucket, so `data` is empty.",
      response: {
        200: Type.Object({ object: Type.Literal("limits"), data: Type.Array(LimitOut) }),
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const data = principal.kind === "api_key" ? [await requestLimitOf(app, principal)] : [];
      return { object: "limits" as const, data };
    },
  });
}

async function requestLimitOf(app: App, { keyHash, bucket }: KeyPrincipal) {
  const nowMs = app.clock.now().getTime();
  const { remaining, resetMs } = await callStore(
    app.fastState.readBucket({ keyHash, bucket, nowMs }),
    app.settings.storeTimeoutMs,
    "reading a bucket",
  );
  return {
    name: "requests" as const,
    scope: "key" as const,
    limit: bucket.capacity,
    remaining,
    reset_seconds: Math.ceil(resetMs / 1000),
    policy: rateLimitPolicy(bucket),
  };
}
