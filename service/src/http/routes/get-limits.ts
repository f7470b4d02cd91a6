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
    limit: Type.Integer(),
    remaining: Type.Integer(),
    reset_seconds: Type.Integer({ description: "Until the bucket is full again." }),
    policy: Type.String({ examples: ["1000;w=10"] }),
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
      tags: ["Developers"],
      summary: "What the caller's buckets hold now",
      description:
        "This very call has been counted. A session's calls are not counted in a bucket, so it has none.",
      response: {
        200: Type.Object({ object: Type.Literal("limits"), data: Type.Array(LimitOut) }),
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const data = principal.kind === "api_key" ? [await requestsOf(app, principal)] : [];
      return { object: "limits" as const, data };
    },
  });
}

async function requestsOf(app: App, { keyHash, bucket }: KeyPrincipal) {
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
