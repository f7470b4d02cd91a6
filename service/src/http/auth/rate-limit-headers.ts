import type { FastifyReply } from "fastify";
import type { BucketState, TokenBucket } from "../../ports/fast-state.ts";

export const RATE_LIMIT_HEADERS = [
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
] as const;

/** Tells the caller of a signed request what its bucket holds (contract, section 0, "Rate limits"). */
export function setRateLimitHeaders(
  reply: FastifyReply,
  { capacity, refillPerSecond }: TokenBucket,
  { remaining, resetMs }: BucketState,
): void {
  const fillSeconds = Math.max(1, Math.ceil(capacity / refillPerSecond));
  reply.headers({
    "ratelimit-limit": String(capacity),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil(resetMs / 1000)),
    "ratelimit-policy": `${capacity};w=${fillSeconds}`,
  });
}
