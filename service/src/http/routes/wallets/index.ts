import { type Route, withTag } from "../../route.ts";
import { createWalletRoute } from "./create-wallet.ts";
import { freezeWalletOnChainRoute, freezeWalletRoute } from "./freezes/freeze-wallet.ts";
import { unfreezeWalletRoute } from "./freezes/unfreeze-wallet.ts";
import { fundWalletRoute } from "./fund-wallet.ts";
import { getWalletBalanceRoute } from "./get-wallet-balance.ts";
import { listWalletActivityRoute } from "./list-wallet-activity.ts";
import { getWalletRoute, listAgentWalletsRoute, listWalletsRoute } from "./read-wallets.ts";
import { updateWalletRoute } from "./update-wallet.ts";

export const walletRoutes: readonly Route[] = withTag("Wallets", [
  createWalletRoute,
  listWalletsRoute,
  listAgentWalletsRoute,
  getWalletRoute,
  updateWalletRoute,
  getWalletBalanceRoute,
  listWalletActivityRoute,
  fundWalletRoute,
  freezeWalletRoute,
  freezeWalletOnChainRoute,
  unfreezeWalletRoute,
]);
