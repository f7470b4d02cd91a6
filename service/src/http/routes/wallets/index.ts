import type { Route } from "../../route.ts";
import { createWalletRoute } from "./create-wallet.ts";
import { freezeRoutes } from "./freezes/index.ts";
import { getWalletRoute } from "./get-wallet.ts";

export const walletRoutes: readonly Route[] = [createWalletRoute, getWalletRoute, ...freezeRoutes];
