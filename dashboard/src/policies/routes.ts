import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const policiesScreens: readonly Screen[] = [
  { path: "/policies", component: lazyRouteComponent(() => import("./policies.tsx"), "Policies") },
  { path: "/policies/$policyId", component: lazyRouteComponent(() => import("./policy.tsx"), "PolicyPage") },
];
