import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const auditScreens: readonly Screen[] = [
  { path: "/audit", component: lazyRouteComponent(() => import("./audit.tsx"), "Audit") },
];
