import { Type } from "typebox";
import { limitCostlyRead } from "../../../../call-limits/count-call.ts";
import { Text } from "../../../../foundation/wire/fields.ts";
import { toWire } from "../../../../foundation/wire/to-wire.ts";
import { LoggedRequestResource } from "../../../../modules/developers/request-log/logged-request-resource.ts";
import { listRequests } from "../../../../modules/developers/request-log/request-log.ts";
import { principalOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { endpoint } from "../../../route.ts";
import { keyModesOf } from "../keys/new-key-fields.ts";

export const listRequestsRoute = endpoint("GET /api/v1/svc/developers/me/requests", {
  operationId: "listRequests",
  sdk: "developers.keys.requests",
  summary: "List requests",
  description:
    "Returns the requests that were authenticated with the developer's keys, newest first, also those that failed after that. The log has no bodies, queries or values of paths. It has the newest 10,000 requests of each key from the last 30 days, of which a call without `key_id` searches the account's newest 100,000, and is written about a second after each response; under load, requests can be missing. Test keys can list requests of test keys only; live keys and dashboard sessions can list requests in both modes.",
  auth: "tenant",
  scope: "keys:read",
  query: Type.Object(
    {
      ...CursorQuery.properties,
      key_id: Type.Optional(Text("Only requests with this API key.", { pattern: "^key_[0-9a-z]{26}$" })),
      method: Type.Optional(Type.Enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
      status: Type.Optional(
        Text("Only responses with this status, for example `422`, or of this class, for example `4xx`.", {
          maxLength: 3,
          pattern: "^[1-5]([0-9]{2}|xx)$",
        }),
      ),
      path: Type.Optional(
        Text("Only requests to this endpoint, for example `/api/v1/svc/projects/{project_id}/env`.", {
          maxLength: 200,
          pattern: "^/[!-~]*$",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  answers: { 200: cursorPage(LoggedRequestResource) },
  errors: ["rate_limited"],
  run: async (app, request) => {
    const principal = principalOf(request);
    const { cursor, limit = LIMIT_DEFAULT, status, key_id: keyId, method, path } = request.query;
    await limitCostlyRead(app, "request-log", principal.tenantId);
    const page = await listRequests(app, {
      tenantId: principal.tenantId,
      modes: keyModesOf(principal),
      ...{ keyId, method, path },
      statuses: status === undefined ? undefined : statusesOf(status),
      after: decodeIdCursor(cursor, "req"),
      limit,
    });
    return presentPage(page, (logged) => toWire(LoggedRequestResource, logged), "requestId");
  },
});

function statusesOf(status: string): readonly [number, number] {
  return [Number(status.replace("xx", "00")), Number(status.replace("xx", "99"))];
}
