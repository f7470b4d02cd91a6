import { type Static, Type } from "typebox";
import { AUTH_FAILURE_REASONS } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import type { AuthFailure } from "./queries.ts";

/** A group of rejected requests: those with the same key, reason and network within one minute. */
export const AuthFailureResource = Type.Object(
  {
    object: Type.Literal("auth_failure"),
    key_id: Type.String({ description: "The key that the requests named." }),
    mode: ModeName,
    step: Type.Integer({
      description: "The step of the verification that failed: 2 to 5 (docs/api.md, section 2.4).",
    }),
    reason: Type.Enum([...AUTH_FAILURE_REASONS], {
      description: "Why the requests were refused.",
    }),
    skew_seconds: {
      ...Nullable(Type.Integer()),
      description:
        "Seconds by which the timestamp of the last request was ahead of the server's clock. Null for other reasons and for a malformed timestamp.",
    },
    network: Type.String({
      description:
        "The caller's IPv4 address or IPv6 /64 network. `other` for all networks after the first 50 of a key and minute.",
    }),
    count: Type.Integer({ description: "The number of such requests within one minute." }),
    first_at: { ...Timestamp, description: "The time of the first request." },
    occurred_at: { ...Timestamp, description: "The time of the last request." },
    request_id: Type.String({ description: "The id of the last request." }),
  },
  {
    $id: "AuthFailure",
    description:
      "Refused requests of one key with the same reason and network within one minute, counted together.",
  },
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
