import type { App } from "../../app.ts";
import { LimitListResource, presentLimits, presentRequestLimit } from "../../call-limits/limit-resource.ts";
import { callStore } from "../../foundation/deadline.ts";
import type { KeyPrincipal } from "../auth/principal.ts";
import { rateLimitPolicy } from "../auth/rate-limit-headers.ts";
import { endpoint, principalOf } from "../route.ts";

export const getLimitsRoute = endpoint({
  method: "GET",
  url: "/api/v1/svc/limits",
  config: { auth: "tenant", scope: null, agentBound: "allowed", sample: { sdk: "limits()" } },
  schema: {
    operationId: "getLimits",
    tags: ["Limits"],
    summary: "Get rate limits",
    description:
      "Returns the token bucket of the calling API key. This call uses one token. `data` is empty for dashboard sessions, which have no bucket.",
    response: { 200: LimitListResource },
  },
  handler: async (app, request) => {
    const principal = principalOf(request);
    const limits = principal.kind === "api_key" ? [await readRequestLimit(app, principal)] : [];
    return presentLimits(limits);
  },
});

async function readRequestLimit(app: App, { keyHash, bucket }: KeyPrincipal) {
  const nowMs = app.clock.now().getTime();
  const state = await callStore(
    app.fastState.readBucket({ keyHash, bucket, nowMs }),
    app.settings.storeTimeoutMs,
    "reading a bucket",
  );
  return presentRequestLimit(bucket, state, rateLimitPolicy(bucket));
}
