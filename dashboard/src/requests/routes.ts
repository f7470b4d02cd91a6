import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const requestsScreens: readonly Screen[] = [
  { path: "/requests", component: lazyRouteComponent(() => import("./requests.tsx"), "Requests") },
];
