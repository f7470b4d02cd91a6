import type { App } from "../../../../app.ts";
import { credentialErrors } from "../../../../foundation/wire/problem.ts";
import {
  type AuthFailure,
  AuthFailureResource,
  listAuthFailures,
  presentAuthFailure,
} from "../../../../modules/developers/index.ts";
import {
  CursorQuery,
  cursorPage,
  LIMIT_DEFAULT,
  nameInCursor,
  presentPage,
} from "../../../cursor.ts";
import { principalOf, type Server } from "../../../route.ts";
import { keyModesOf } from "../keys/key-modes.ts";

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
      response: { 200: cursorPage(AuthFailureResource), ...credentialErrors },
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

function placeOf({ lastAt, failureId }: AuthFailure): string {
  return `${lastAt.getTime()} ${failureId}`;
}

function placeIn(name: string | undefined) {
  const [, milliseconds, failureId] = PLACE.exec(name ?? "") ?? [];
  if (milliseconds === undefined || failureId === undefined) return undefined;
  return { lastAt: new Date(Number(milliseconds)), failureId };
}
