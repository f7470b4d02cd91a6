import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const overviewScreens: readonly Screen[] = [
  { path: "/", component: lazyRouteComponent(() => import("./overview.tsx"), "Overview") },
];
