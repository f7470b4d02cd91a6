import { type Static, Type } from "typebox";
import { AUTH_FAILURE_REASONS } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import type { AuthFailure } from "./queries.ts";

/** Refused requests of one key, one reason and one minute (docs/api.md). */
export const AuthFailureResource = Type.Object(
  {
    object: Type.Literal("auth_failure"),
    key_id: Type.String(),
    mode: ModeName,
    step: Type.Integer({ description: "The step of the verification that failed." }),
    reason: Type.Enum([...AUTH_FAILURE_REASONS]),
    skew_seconds: Nullable(
      Type.Integer({ description: "How far the timestamp was ahead of the server's clock." }),
    ),
    network: Type.String({
      description: "An IPv4 address, an IPv6 network, or `other` if there were too many.",
    }),
    count: Type.Integer({ description: "The number of such requests in one minute." }),
    first_at: Timestamp,
    occurred_at: { ...Timestamp, description: "The time of the last request." },
    request_id: Type.String({ description: "The id of the last request." }),
  },
  { $id: "AuthFailure" },
);

export function presentAuthFailure(failure: AuthFailure): Static<typeof AuthFailureResource> {
  return {
    object: "auth_failure",
    key_id: failure.keyId,
    mode: failure.mode,
    step: failure.step,
    reason: failure.reason,
    skew_seconds: failure.skewSeconds,
    network: failure.network,
    count: failure.count,
    first_at: failure.firstAt.toISOString(),
    occurred_at: failure.lastAt.toISOString(),
    request_id: failure.requestId,
  };
}
