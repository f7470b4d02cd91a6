import { KillSwitchResource, presentKillSwitch } from "../../../modules/kill-switches/kill-switch-resource.ts";
import { getKillSwitch } from "../../../modules/kill-switches/read-report.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
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
