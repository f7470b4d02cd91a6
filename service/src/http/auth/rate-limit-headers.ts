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

/** The size of a bucket, and the seconds in which it fills. */
export function rateLimitPolicy({ capacity, refillPerSecond }: TokenBucket): string {
  return `${capacity};w=${Math.max(1, Math.ceil(capacity / refillPerSecond))}`;
}
