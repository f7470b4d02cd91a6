import type { Route } from "../../../route.ts";
import { freezeWalletRoute } from "./freeze-wallet.ts";
import { freezeWalletOnChainRoute } from "./freeze-wallet-on-chain.ts";
import { unfreezeWalletRoute } from "./unfreeze-wallet.ts";

export const freezeRoutes: readonly Route[] = [freezeWalletRoute, freezeWalletOnChainRoute, unfreezeWalletRoute];
