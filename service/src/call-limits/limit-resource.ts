import { type Static, Type } from "typebox";
import type { BucketState, TokenBucket } from "../ports/fast-state.ts";

/** A rate limit of the caller (docs/api.md). */
const LimitResource = Type.Object(
  {
    name: Type.Literal("requests"),
    scope: Type.Literal("key"),
    limit: Type.Integer({ description: "Requests." }),
    remaining: Type.Integer({ description: "Requests." }),
    reset_seconds: Type.Integer({ description: "The time until the bucket is full, in seconds." }),
    policy: Type.String({
      description: "The size of the bucket, and the seconds in which an empty one fills.",
      examples: ["1000;w=10"],
    }),
  },
  { $id: "Limit" },
);

export const LimitListResource = Type.Object(
  { object: Type.Literal("limits"), data: Type.Array(LimitResource) },
  { $id: "LimitList" },
);

export function presentLimits(
  limits: readonly Static<typeof LimitResource>[],
): Static<typeof LimitListResource> {
  return { object: "limits", data: [...limits] };
}

/** @param policy the bucket's policy, as the RateLimit headers have it */
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
