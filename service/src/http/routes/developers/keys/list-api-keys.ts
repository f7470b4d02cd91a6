import { ApiKeyResource, presentApiKey } from "../../../../modules/developers/keys/api-key-resource.ts";
import { listOwnApiKeys } from "../../../../modules/developers/keys/list-own-api-keys.ts";
import { principalOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPageBefore } from "../../../cursor.ts";
import { endpoint } from "../../../route.ts";
import { keyModesOf } from "./key-modes.ts";

const KEY_ID = /^key_[0-9a-z]{26}$/;

export const listApiKeysRoute = endpoint("GET /api/v1/svc/developers/me/keys", {
  operationId: "listApiKeys",
  sdk: "developers.keys.list",
  summary: "List API keys",
  description:
    "Returns the developer's keys, newest first. The first page contains all keys that are not revoked and up to `limit` revoked keys; the following pages contain only revoked keys. Live keys and dashboard sessions can list keys of both modes. Test keys can list only test keys.",
  auth: "tenant",
  scope: "keys:read",
  query: CursorQuery,
  answers: { 200: cursorPage(ApiKeyResource) },
  run: async (app, request) => {
    const principal = principalOf(request);
    const { tenantId } = principal;
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const { keys, nextBefore } = await listOwnApiKeys(app, {
      tenantId,
      modes: keyModesOf(principal),
      beforeKeyId: decodeCursor(cursor, KEY_ID),
      limit,
    });
    const now = app.clock.now();
    const presented = keys.map((key) => presentApiKey(key, now));
    return presentPageBefore(presented, nextBefore);
  },
});
