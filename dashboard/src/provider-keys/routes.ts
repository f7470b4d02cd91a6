import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const providerKeysScreens: readonly Screen[] = [
  { path: "/provider-keys", component: lazyRouteComponent(() => import("./provider-keys.tsx"), "ProviderKeysScreen") },
];
