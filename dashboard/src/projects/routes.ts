import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const projectsScreens: readonly Screen[] = [
  { path: "/projects", component: lazyRouteComponent(() => import("./projects.tsx"), "Projects") },
  { path: "/projects/$projectId", component: lazyRouteComponent(() => import("./project.tsx"), "ProjectScreen") },
];
