import {
  AuthFailureResource,
  presentAuthFailure,
} from "../../../../modules/developers/auth-failures/auth-failure-resource.ts";
import { listAuthFailures } from "../../../../modules/developers/auth-failures/write-auth-failures.ts";
import { principalOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodePosition, LIMIT_DEFAULT, positionName, presentPage } from "../../../cursor.ts";
import { endpoint } from "../../../route.ts";
import { keyModesOf } from "../keys/new-key-fields.ts";

const FAILURE_ID_FORM = /^fail_[0-9a-f]{26}$/;

export const listAuthFailuresRoute = endpoint("GET /api/v1/svc/developers/me/auth-failures", {
  operationId: "listAuthFailures",
  sdk: "developers.keys.authFailures",
  summary: "List rejected requests",
  description:
    "Returns the reasons why requests with the developer's keys, and requests with a dashboard token but without `X-Svc-Mode`, were rejected with 401, newest first. The 401 response itself never states the reason. Requests with the same key, reason and network within one minute are grouped into one item. Test keys can list failures of test keys only; live keys and dashboard sessions can list failures in both modes. Items are stored for 30 days.",
  auth: "tenant",
  scope: "keys:read",
  query: CursorQuery,
  answers: { 200: cursorPage(AuthFailureResource) },
  run: async (app, request) => {
    const principal = principalOf(request);
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodePosition(cursor, FAILURE_ID_FORM);
    const page = await listAuthFailures(app, {
      tenantId: principal.tenantId,
      modes: keyModesOf(principal),
      after: after && { lastAt: after.at, failureId: after.id },
      limit,
    });
    return presentPage(page, presentAuthFailure, ({ lastAt, failureId }) => positionName(lastAt, failureId));
  },
});
