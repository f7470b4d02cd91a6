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
import { endpoint } from "../../route.ts";
import { killSwitchKeyOf } from "./kill-switch-reply.ts";

export const getKillSwitchRoute = endpoint("GET /api/v1/svc/kill-switch/:kill_switch_id", {
  operationId: "getKillSwitch",
  sdk: "killSwitch.get",
  summary: "Get a kill switch",
  description: "Returns a kill switch with its report and its proof.",
  auth: "tenant",
  scope: null,
  answers: { 200: KillSwitchResource },
  run: async (app, request) => {
    const key = killSwitchKeyOf(request, pathId("kill", request.params.kill_switch_id));
    return presentKillSwitch(app, await getKillSwitch(app, key));
  },
});

export const listKillSwitchesRoute = endpoint("GET /api/v1/svc/kill-switch", {
  operationId: "listKillSwitches",
  sdk: "killSwitch.list",
  summary: "List kill switches",
  description: "Returns the kill switches in the caller's mode, newest first, with the numbers of their targets.",
  auth: "tenant",
  scope: null,
  query: CursorQuery,
  answers: { 200: cursorPage(KillSwitchSummaryResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeIdCursor(cursor, "kill");
    const page = await listKillSwitches(app, scopeOf(request), { after, limit });
    return presentPage(page, presentKillSwitchSummary, ({ killSwitch }) => killSwitch.killSwitchId);
  },
});
