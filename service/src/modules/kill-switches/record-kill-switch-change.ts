import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import { presentKillSwitch } from "./kill-switch-resource.ts";
import type { KillSwitch } from "./queries.ts";
import { readReport } from "./read-report.ts";

/** Writes the audit entry and the event for a change of a kill switch, in the transaction of the change. */
export async function recordKillSwitchChange(
  tx: Tx,
  app: Pick<App, "signer">,
  actor: Actor,
  action: "kill_switch.triggered" | "kill_switch.reconciled" | "kill_switch.completed" | "kill_switch.blocked_pending",
  killSwitch: KillSwitch,
): Promise<void> {
  const presented = presentKillSwitch(app, await readReport(tx, killSwitch));
  const { scope, id, reason, run, counts } = presented;
  const facts = { scope, id, reason, run, counts };
  const subject = { type: "kill_switch", id: killSwitch.killSwitchId };
  const occurredAt = killSwitch.updatedAt;
  await recordEntryAndEvent(tx, actor, { action, subject, facts, occurredAt }, () => presented);
}
