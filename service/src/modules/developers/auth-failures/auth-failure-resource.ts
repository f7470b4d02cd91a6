import { type Static, Type } from "typebox";
import { AUTH_FAILURE_REASONS } from "../../../foundation/vocabulary.ts";
import { Count, ModeName, Nullable, OneOf, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { AuthFailure } from "./queries.ts";

/** A group of rejected requests: those with the same key, reason and network within one minute. */
export const AuthFailureResource = Type.Object(
  {
    object: Type.Literal("auth_failure"),
    key_id: Nullable(
      Type.String(),
      "The id of the API key that the requests were sent with. Null for a dashboard session, whose `mode` is `live`.",
    ),
    mode: ModeName,
    step: Count("The verification step that failed, 1 to 5 (docs/rules/signing.md)."),
    reason: OneOf(
      AUTH_FAILURE_REASONS,
      "Why the requests were rejected. `header_missing`: one of the four signing headers was absent. `mode_missing`: a dashboard token was sent without a valid `X-Svc-Mode`.",
    ),
    skew_seconds: Nullable(
      Type.Integer(),
      "How far the timestamp of the last request was ahead of the server's clock, in seconds. Negative if the timestamp was behind. Null if `reason` is not `timestamp_skewed`, or if the timestamp was malformed.",
    ),
    network: Text(
      "The caller's IPv4 address or IPv6 /64 network. `other` if 50 items for the same key and minute were already stored.",
    ),
    count: Count("Number of rejected requests in this group."),
    first_at: { ...Timestamp, description: "When the first of these requests was received." },
    occurred_at: {
      ...Timestamp,
      description: "When the last of the `count` requests was received.",
    },
    request_id: Text("The `request_id` of the last of the `count` requests."),
  },
  {
    $id: "AuthFailure",
    description: "A group of requests with the same key, reason and network that were rejected within one minute.",
  },
);

export function presentAuthFailure(failure: AuthFailure): Static<typeof AuthFailureResource> {
  return toWire(AuthFailureResource, failure, {
    occurred_at: failure.lastAt.toISOString(),
  });
}
