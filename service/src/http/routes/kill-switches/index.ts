import { type Route, withTag } from "../../route.ts";
import { getKillSwitchRoute, listKillSwitchesRoute } from "./read-kill-switches.ts";
import { reconcileKillSwitchRoute } from "./reconcile-kill-switch.ts";
import { triggerKillSwitchRoute } from "./trigger-kill-switch.ts";

export const killSwitchRoutes: readonly Route[] = withTag("Kill switch", [
  triggerKillSwitchRoute,
  listKillSwitchesRoute,
  getKillSwitchRoute,
  reconcileKillSwitchRoute,
]);
