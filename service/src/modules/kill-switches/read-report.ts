import type { Db } from "../../db/database.ts";
import type { KillSwitchReport } from "./kill-switch-resource.ts";
import { countTargets, getKillSwitchRow, type KillSwitch, type KillSwitchKey, listTargets } from "./queries.ts";

const TARGETS_MAX = 1_000;

/** Returns the kill switch with its report. Throws `kill_switch_not_found`. */
export async function getKillSwitch({ db }: { readonly db: Db }, key: KillSwitchKey): Promise<KillSwitchReport> {
  return readReport(db, await getKillSwitchRow(db, key));
}

export async function readReport(db: Db, killSwitch: KillSwitch): Promise<KillSwitchReport> {
  const { tenantId, killSwitchId } = killSwitch;
  const counts = await countTargets(db, { tenantId, killSwitchIds: [killSwitchId] });
  const targets = await listTargets(db, killSwitch, TARGETS_MAX);
  return { killSwitch, counts: counts.get(killSwitchId) ?? [], targets };
}
