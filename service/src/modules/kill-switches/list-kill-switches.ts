import type { App } from "../../app.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KillSwitchReport } from "./kill-switch-resource.ts";
import { countTargets, listKillSwitchRows } from "./queries.ts";

/** Returns one page of the kill switches of the tenant and mode, newest first. */
export async function listKillSwitches(
  { db }: Pick<App, "db">,
  {
    tenantId,
    mode,
    afterId,
    limit,
  }: {
    readonly tenantId: TenantId;
    readonly mode: Mode;
    /** The last kill switch of the previous page. */
    readonly afterId: string | undefined;
    readonly limit: number;
  },
): Promise<{
  readonly items: readonly Omit<KillSwitchReport, "targets">[];
  readonly hasMore: boolean;
}> {
  const rows = await listKillSwitchRows(db, { tenantId, mode }, { afterId, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const killSwitchIds = shown.map(({ killSwitchId }) => killSwitchId);
  const counts = await countTargets(db, { tenantId, killSwitchIds });
  return {
    items: shown.map((killSwitch) => ({
      killSwitch,
      counts: counts.get(killSwitch.killSwitchId) ?? [],
    })),
    hasMore: rows.length > limit,
  };
}
