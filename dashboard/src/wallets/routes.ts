import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const walletsScreens: readonly Screen[] = [
  { path: "/wallets", component: lazyRouteComponent(() => import("./wallets.tsx"), "Wallets") },
  { path: "/wallets/$walletId", component: lazyRouteComponent(() => import("./wallet.tsx"), "WalletDetail") },
];
