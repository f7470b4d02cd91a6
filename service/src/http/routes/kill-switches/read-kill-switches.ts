import {
  KillSwitchResource,
  KillSwitchSummaryResource,
  presentKillSwitch,
  presentKillSwitchSummary,
} from "../../../modules/kill-switches/kill-switch-resource.ts";
import { getKillSwitch, listKillSwitches } from "../../../modules/kill-switches/read-report.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, principalOf } from "../../route.ts";
import { killSwitchKeyOf } from "./kill-switch-reply.ts";

export const getKillSwitchRoute = endpoint("GET /api/v1/svc/kill-switch/:kill_switch_id", {
  config: {
    auth: "tenant",
    scope: null,
    sample: { sdk: "killSwitch.get(KILL_SWITCH_ID)" },
  },
  schema: {
    operationId: "getKillSwitch",
    summary: "Get a kill switch",
    description: "Returns a kill switch with its report and its proof.",
    response: { 200: KillSwitchResource },
  },
  handler: async (app, request) => {
    const key = killSwitchKeyOf(request, pathId("kill", request.params.kill_switch_id));
    return presentKillSwitch(app, await getKillSwitch(app, key));
  },
});

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
    const after = decodeIdCursor(cursor, "kill");
    const page = await listKillSwitches(app, scopeOf(principalOf(request)), { after, limit });
    return presentPage(page, presentKillSwitchSummary, ({ killSwitch }) => killSwitch.killSwitchId);
  },
});
