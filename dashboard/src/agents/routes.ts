import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const agentsScreens: readonly Screen[] = [
  { path: "/agents", component: lazyRouteComponent(() => import("./agents.tsx"), "Agents") },
  { path: "/agents/$agentId", component: lazyRouteComponent(() => import("./agent.tsx"), "AgentPage") },
];
