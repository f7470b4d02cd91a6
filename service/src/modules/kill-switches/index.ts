export { endRun } from "./end-run.ts";
export {
  KillSwitchResource,
  KillSwitchSummaryResource,
  presentKillSwitch,
  presentKillSwitchSummary,
} from "./kill-switch-resource.ts";
export { listKillSwitches } from "./list-kill-switches.ts";
export {
  continueRun,
  getKillSwitchRow,
  hasTarget,
  type KillSwitch,
  type KillSwitchKey,
  type KillSwitchTarget,
  listTargetIds,
  saveTarget,
  stalledKillSwitches,
} from "./queries.ts";
export { getKillSwitch } from "./read-report.ts";
export { type NewKillSwitch, restartKillSwitch, startKillSwitch } from "./start-kill-switch.ts";
