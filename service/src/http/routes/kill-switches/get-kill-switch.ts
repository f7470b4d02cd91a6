import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { getKillSwitch, KillSwitchResource, presentKillSwitch } from "../../../modules/kill-switches/index.ts";
import { pathId } from "../../path-id.ts";
import type { Server } from "../../route.ts";
import { killSwitchKeyOf } from "./kill-switch-reply.ts";

export function getKillSwitchRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/kill-switch/:kill_switch_id",
    config: {
      auth: "tenant",
      scope: null,
      projectBound: "refused",
      sample: { sdk: "killSwitch.get(KILL_SWITCH_ID)" },
    },
    schema: {
      operationId: "getKillSwitch",
      tags: ["Kill switch"],
      summary: "Get a kill switch",
      description: "Returns a kill switch with its report and its proof.",
      params: Type.Object({ kill_switch_id: Type.String() }),
      response: { 200: KillSwitchResource, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const key = killSwitchKeyOf(request, pathId("kill", request.params.kill_switch_id));
      return presentKillSwitch(app, await getKillSwitch(app, key));
    },
  });
}
