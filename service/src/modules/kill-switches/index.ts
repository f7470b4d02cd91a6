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
  listStalledKillSwitches,
  listTargetIds,
  type StalledKillSwitch,
  saveTarget,
} from "./queries.ts";
export { getKillSwitch } from "./read-report.ts";
export { type NewKillSwitch, restartKillSwitch, startKillSwitch } from "./start-kill-switch.ts";
