import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const keysScreens: readonly Screen[] = [
  { path: "/keys", component: lazyRouteComponent(() => import("./keys.tsx"), "Keys") },
];
