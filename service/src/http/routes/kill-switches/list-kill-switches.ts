import {
  KillSwitchSummaryResource,
  presentKillSwitchSummary,
} from "../../../modules/kill-switches/kill-switch-resource.ts";
import { listKillSwitches } from "../../../modules/kill-switches/list-kill-switches.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint, principalOf } from "../../route.ts";

export const listKillSwitchesRoute = endpoint("GET /api/v1/svc/kill-switch", {
  config: {
    auth: "tenant",
    scope: null,
    sample: { sdk: "each killSwitch.list()" },
  },
  schema: {
    operationId: "listKillSwitches",
    summary: "List kill switches",
    description: "Returns the kill switches in the caller's mode, newest first, with the numbers of their targets.",
    querystring: CursorQuery,
    response: { 200: cursorPage(KillSwitchSummaryResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const { tenantId, mode } = scopeOf(principalOf(request));
    const afterId = decodeIdCursor(cursor, "kill");
    const page = await listKillSwitches(app, { tenantId, mode, afterId, limit });
    return presentPage(page, presentKillSwitchSummary, ({ killSwitch }) => killSwitch.killSwitchId);
  },
});
