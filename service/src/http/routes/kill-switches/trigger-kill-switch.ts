import { Type } from "typebox";
import { KILL_SWITCH_SCOPES } from "../../../foundation/vocabulary.ts";
import { PRINTABLE_TEXT } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { KillSwitchResource } from "../../../modules/kill-switches/kill-switch-resource.ts";
import { type TriggeredKillSwitch, triggerKillSwitch } from "../../../workflows/kill-switch/trigger-kill-switch.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyByReference } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { killSwitchKeyOf, resolveKillSwitch } from "./kill-switch-reply.ts";

const KillSwitchRequest = StrictObject("KillSwitchRequest", {
  scope: Type.Enum([...KILL_SWITCH_SCOPES], {
    description: "What is killed, with everything below it.",
  }),
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    ...PRINTABLE_TEXT,
    description: "The id of the agent, the project or the developer.",
  }),
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    ...PRINTABLE_TEXT,
    description: "Why, for the audit trail and the freezes. Up to 500 characters.",
  }),
  onchain: Type.Optional(
    Type.Boolean({
      description:
        "Whether to freeze the wallets on their chains too. Simulated in test mode, and pending in live mode in this version. Default: true.",
    }),
  ),
  rotate_env: Type.Optional(
    Type.Boolean({
      description:
        "Whether to rotate the credentials of services that the target could read. Reconcile to see when that is done. Default: true.",
    }),
  ),
});

export const triggerKillSwitchRoute = endpoint("POST /api/v1/svc/kill-switch", {
  operationId: "triggerKillSwitch",
  sdk: "killSwitch.trigger",
  summary: "Trigger a kill switch",
  description:
    "Stops an agent, a project or all of the developer's account, in the caller's mode: suspends agents, freezes wallets, cancels what waits for an approval, suspends projects, whose environments can then not be pulled, and revokes API keys, the calling key last. Nothing is created below the target meanwhile. Waits up to 20 seconds. If the status is then still `running`, Purser continues, and `GET` returns the result. The same target again gets the kill switch that is running. Undo it by resuming agents, unfreezing wallets and setting the project's `status`. Fails with `agent_not_found`, `project_not_found`, `developer_not_found`, and with `conflict` after 10 kill switches with the same API key in an hour; with scope `developer` the call then returns the last one of that hour. Dashboard sessions have no limit.",
  auth: "tenant",
  scope: "kill_switch:write",
  replayGuard: "strict",
  body: KillSwitchRequest,
  answers: { 200: KillSwitchResource },
  errors: ["agent_not_found", "project_not_found", "developer_not_found", "conflict"],
  example: { scope: "agent", id: "AGENT_ID", reason: "The host was compromised" },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const { scope, id: targetId, reason, onchain = true, rotate_env = true } = request.body;
    const target = { scope, targetId, reason, onchain, rotateEnv: rotate_env };
    const resolve = ({ killSwitchId }: TriggeredKillSwitch) =>
      resolveKillSwitch(app, killSwitchKeyOf(request, killSwitchId));
    return replyByReference(app, request, reply, { status: 200, resolve }, (saveResponse) =>
      triggerKillSwitch(app, { actor, target }, saveResponse),
    );
  },
});
