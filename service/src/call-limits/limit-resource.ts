import { type Static, Type } from "typebox";
import type { BucketState, TokenBucket } from "../ports/fast-state.ts";

/** A rate limit that applies to the caller's API key (docs/api.md, section 2.5). */
const LimitResource = Type.Object(
  {
    name: Type.Literal("requests"),
    scope: Type.Literal("key"),
    limit: Type.Integer({ description: "Size of the token bucket, in requests." }),
    remaining: Type.Integer({ description: "Number of requests that can be made now." }),
    reset_seconds: Type.Integer({ description: "Seconds until the bucket is full again." }),
    policy: Type.String({
      description: "The bucket's size and the seconds that an empty bucket takes to refill, for example `600;w=60`.",
      examples: ["1000;w=10"],
    }),
  },
  { $id: "Limit" },
);

export const LimitListResource = Type.Object(
  { object: Type.Literal("limits"), data: Type.Array(LimitResource) },
  { $id: "LimitList" },
);

export function presentLimits(limits: readonly Static<typeof LimitResource>[]): Static<typeof LimitListResource> {
  return { object: "limits", data: [...limits] };
}

/** @param policy the policy as sent in the RateLimit headers, such as `1000;w=10` */
export function presentRequestLimit(
  { capacity }: TokenBucket,
  { remaining, resetMs }: BucketState,
  policy: string,
): Static<typeof LimitResource> {
  return {
    name: "requests",
    scope: "key",
    limit: capacity,
    remaining,
    reset_seconds: Math.ceil(resetMs / 1000),
    policy,
  };
}
