import { KillSwitchResource } from "../../../modules/kill-switches/kill-switch-resource.ts";
import { reconcileKillSwitch, type TriggeredKillSwitch } from "../../../workflows/kill-switch/trigger-kill-switch.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyByReference } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { killSwitchKeyOf, resolveKillSwitch } from "./kill-switch-reply.ts";

export const reconcileKillSwitchRoute = endpoint("POST /api/v1/svc/kill-switch/:kill_switch_id/reconcile", {
  operationId: "reconcileKillSwitch",
  sdk: "killSwitch.reconcile",
  summary: "Reconcile a kill switch",
  description:
    "Runs a kill switch again: kills what is not dead, also what was created or resumed since, and reports anew. Returns a kill switch that is running as it is. Fails with `conflict` while another kill switch of the same target is running.",
  auth: "tenant",
  scope: "kill_switch:write",
  replayGuard: "strict",
  answers: { 200: KillSwitchResource },
  errors: ["conflict"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const key = killSwitchKeyOf(request, pathId("kill", request.params.kill_switch_id));
    const resolve = ({ killSwitchId }: TriggeredKillSwitch) => resolveKillSwitch(app, { ...key, killSwitchId });
    return replyByReference(app, request, reply, { status: 200, resolve }, (saveResponse) =>
      reconcileKillSwitch(app, { actor, key }, saveResponse),
    );
  },
});
