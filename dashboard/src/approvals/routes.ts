import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const approvalsScreens: readonly Screen[] = [
  { path: "/approvals", component: lazyRouteComponent(() => import("./approvals.tsx"), "Approvals") },
  { path: "/approvals/$approvalId", component: lazyRouteComponent(() => import("./approval.tsx"), "ApprovalPage") },
];
