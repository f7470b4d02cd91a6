import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import type { KillSwitchId } from "../../../foundation/ids.ts";
import { KILL_SWITCH_SCOPES } from "../../../foundation/vocabulary.ts";
import { Flag, OneOf, PRINTABLE_TEXT, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import {
  KillSwitchResource,
  KillSwitchSummaryResource,
  presentKillSwitch,
  presentKillSwitchSummary,
} from "../../../modules/kill-switches/kill-switch-resource.ts";
import { getKillSwitch, listKillSwitches } from "../../../modules/kill-switches/kill-switches.ts";
import type { KillSwitchKey } from "../../../modules/kill-switches/queries.ts";
import {
  reconcileKillSwitch,
  type TriggeredKillSwitch,
  triggerKillSwitch,
} from "../../../workflows/kill-switch/kill-switch.ts";
import { actorOf, scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { type ReferenceOutcome, replyByReference } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";

function killSwitchKeyOf(request: FastifyRequest, killSwitchId: KillSwitchId): KillSwitchKey {
  const { tenantId, mode } = scopeOf(request);
  return { tenantId, mode, killSwitchId };
}

/** Returns the kill switch as it is now. */
async function resolveKillSwitch(
  app: App,
  key: KillSwitchKey,
): Promise<ReferenceOutcome<Static<typeof KillSwitchResource>>> {
  return { kind: "response", body: presentKillSwitch(app, await getKillSwitch(app, key)) };
}

const KillSwitchRequest = StrictObject("KillSwitchRequest", {
  scope: OneOf(KILL_SWITCH_SCOPES, "What is killed, with everything below it."),
  id: Text("The id of the agent, the project or the developer.", { minLength: 1, maxLength: 100, ...PRINTABLE_TEXT }),
  reason: Text("Why, for the audit trail and the freezes. Up to 500 characters.", {
    minLength: 1,
    maxLength: 500,
    ...PRINTABLE_TEXT,
  }),
  onchain: Type.Optional(
    Flag(
      "Whether to freeze the wallets on their chains too. Simulated in test mode; in live mode, reconcile to see the outcome. Default: true.",
    ),
  ),
  rotate_env: Type.Optional(
    Flag(
      "Whether to rotate the credentials of services that the target could read. Reconcile to see when that is done. Default: true.",
    ),
  ),
});

const triggerKillSwitchRoute = endpoint("POST /api/v1/svc/kill-switch", {
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

const getKillSwitchRoute = endpoint("GET /api/v1/svc/kill-switch/:kill_switch_id", {
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

const listKillSwitchesRoute = endpoint("GET /api/v1/svc/kill-switch", {
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

const reconcileKillSwitchRoute = endpoint("POST /api/v1/svc/kill-switch/:kill_switch_id/reconcile", {
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

export const killSwitchRoutes: readonly Route[] = [
  triggerKillSwitchRoute,
  listKillSwitchesRoute,
  getKillSwitchRoute,
  reconcileKillSwitchRoute,
];
