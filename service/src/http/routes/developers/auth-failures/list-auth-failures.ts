import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AUTH_FAILURE_REASONS } from "../../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../../foundation/wire/common.ts";
import { credentialErrors } from "../../../../foundation/wire/problem.ts";
import { type AuthFailure, listAuthFailures } from "../../../../modules/developers/index.ts";
import {
  CursorQuery,
  cursorPage,
  LIMIT_DEFAULT,
  nameInCursor,
  presentPage,
} from "../../../cursor.ts";
import { principalOf, type Server } from "../../../route.ts";
import { keyModesOf } from "../keys/key-modes.ts";

const AuthFailureOut = Type.Object(
  {
    object: Type.Literal("auth_failure"),
    key_id: Type.String(),
    mode: ModeName,
    step: Type.Integer({ description: "Of the specification's verification order." }),
    reason: Type.Enum([...AUTH_FAILURE_REASONS]),
    skew_seconds: Nullable(
      Type.Integer({ description: "How far the timestamp was ahead of this service's clock." }),
    ),
    network: Type.String({
      description: "An IPv4 address, or an IPv6 network; `other` once there were too many.",
    }),
    count: Type.Integer({ description: "Alike requests of one minute." }),
    first_at: Timestamp,
    occurred_at: { ...Timestamp, description: "Of the last one." },
    request_id: Type.String({ description: "Of the last one." }),
  },
  { $id: "AuthFailure" },
);

/** In milliseconds, and then the id: ids of one millisecond are in no order. */
const PLACE = /^(\d{13}) (fail_[0-9a-f]{26})$/;

export function listAuthFailuresRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/me/auth-failures",
    config: { auth: "tenant", scope: "keys:read", projectBound: "refused" },
    schema: {
      operationId: "listAuthFailures",
      tags: ["Developers"],
      summary: "Why requests under the developer's keys were refused, newest first",
      description:
        "The refused caller learns nothing of it: every 401 is the same. Kept for thirty days.",
      querystring: CursorQuery,
      response: { 200: cursorPage(AuthFailureOut), ...credentialErrors },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const page = await listAuthFailures(app, {
        tenantId: principal.tenantId,
        modes: keyModesOf(principal),
        after: placeIn(nameInCursor(cursor, PLACE)),
        limit,
      });
      return presentPage(page, presentAuthFailure, placeOf);
    },
  });
}

function presentAuthFailure(failure: AuthFailure) {
  return {
    object: "auth_failure" as const,
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

function placeOf({ lastAt, failureId }: AuthFailure): string {
  return `${lastAt.getTime()} ${failureId}`;
}

function placeIn(name: string | undefined) {
  const [, milliseconds, failureId] = PLACE.exec(name ?? "") ?? [];
  if (milliseconds === undefined || failureId === undefined) return undefined;
  return { lastAt: new Date(Number(milliseconds)), failureId };
}
