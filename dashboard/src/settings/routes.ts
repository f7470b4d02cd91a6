import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const settingsScreens: readonly Screen[] = [
  { path: "/settings", component: lazyRouteComponent(() => import("./settings.tsx"), "Settings") },
  { path: "/settings/kyb", component: lazyRouteComponent(() => import("./kyb.tsx"), "Kyb") },
];
