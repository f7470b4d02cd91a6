import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { App } from "../../../app.ts";
import type { KillSwitchId } from "../../../foundation/ids.ts";
import { type KillSwitchResource, presentKillSwitch } from "../../../modules/kill-switches/kill-switch-resource.ts";
import type { KillSwitchKey } from "../../../modules/kill-switches/queries.ts";
import { getKillSwitch } from "../../../modules/kill-switches/read-report.ts";
import { scopeOf } from "../../auth/principal.ts";
import type { ReferenceOutcome } from "../../idempotency.ts";

export function killSwitchKeyOf(request: FastifyRequest, killSwitchId: KillSwitchId): KillSwitchKey {
  const { tenantId, mode } = scopeOf(request);
  return { tenantId, mode, killSwitchId };
}

/** Returns the kill switch as it is now. */
export async function resolveKillSwitch(
  app: App,
  key: KillSwitchKey,
): Promise<ReferenceOutcome<Static<typeof KillSwitchResource>>> {
  return { kind: "response", body: presentKillSwitch(app, await getKillSwitch(app, key)) };
}
