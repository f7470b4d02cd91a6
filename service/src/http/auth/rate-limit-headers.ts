import type { FastifyReply } from "fastify";
import type { BucketState, TokenBucket } from "../../ports/fast-state.ts";

export const RATE_LIMIT_HEADERS = [
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
] as const;

/** Sets the `RateLimit-*` headers on the response to a signed request (docs/rules/rate-limits.md). */
export function setRateLimitHeaders(
  reply: FastifyReply,
  bucket: TokenBucket,
  { remaining, resetMs }: BucketState,
): void {
  reply.headers({
    "ratelimit-limit": String(bucket.capacity),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil(resetMs / 1000)),
    "ratelimit-policy": rateLimitPolicy(bucket),
  });
}

/** Returns the `RateLimit-Policy` header: the bucket's capacity, and the seconds in which an empty bucket fills. */
export function rateLimitPolicy({ capacity, refillPerSecond }: TokenBucket): string {
  return `${capacity};w=${Math.max(1, Math.ceil(capacity / refillPerSecond))}`;
}
