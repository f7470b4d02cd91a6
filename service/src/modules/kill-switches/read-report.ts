import type { App } from "../../app.ts";
import type { Db } from "../../db/database.ts";
import type { ListedPage, Page } from "../../db/pages.ts";
import type { KillSwitchReport } from "./kill-switch-resource.ts";
import {
  countTargets,
  type KillSwitch,
  type KillSwitchKey,
  killSwitchNotFound,
  killSwitchRows,
  listKillSwitchRows,
  listTargets,
} from "./queries.ts";

const TARGETS_MAX = 1_000;

/** Returns the kill switch with its report. Throws `kill_switch_not_found`. */
export async function getKillSwitch({ db }: Pick<App, "db">, key: KillSwitchKey): Promise<KillSwitchReport> {
  const killSwitch = await killSwitchRows.find(db, key);
  if (killSwitch === undefined) throw killSwitchNotFound(key);
  return readReport(db, killSwitch);
}

export async function readReport(db: Db, killSwitch: KillSwitch): Promise<KillSwitchReport> {
  const { tenantId, killSwitchId } = killSwitch;
  const counts = await countTargets(db, { tenantId, killSwitchIds: [killSwitchId] });
  const targets = await listTargets(db, killSwitch, TARGETS_MAX);
  return { killSwitch, counts: counts.get(killSwitchId) ?? [], targets };
}

/** Returns one page of the kill switches of the tenant and mode, newest first. */
export async function listKillSwitches(
  { db }: Pick<App, "db">,
  owner: Pick<KillSwitch, "tenantId" | "mode">,
  page: Page<string>,
): Promise<ListedPage<Omit<KillSwitchReport, "targets">>> {
  const { items, hasMore } = await listKillSwitchRows(db, owner, page);
  const killSwitchIds = items.map(({ killSwitchId }) => killSwitchId);
  const counts = await countTargets(db, { tenantId: owner.tenantId, killSwitchIds });
  const summaries = items.map((killSwitch) => ({ killSwitch, counts: counts.get(killSwitch.killSwitchId) ?? [] }));
  return { items: summaries, hasMore };
}
