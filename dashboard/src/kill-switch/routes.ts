import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const killSwitchScreens: readonly Screen[] = [
  { path: "/kill-switch", component: lazyRouteComponent(() => import("./kill-switches.tsx"), "KillSwitches") },
  {
    path: "/kill-switch/$killSwitchId",
    component: lazyRouteComponent(() => import("./kill-switch.tsx"), "KillSwitchDetail"),
  },
];
