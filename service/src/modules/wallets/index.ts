export { presentActivity, WalletActivityResource } from "./activity/activity-resource.ts";
export { listActivity } from "./activity/queries.ts";
export {
  presentFunding,
  presentReading,
  WalletBalancesResource,
  WalletFundingResource,
} from "./balances/balance-resources.ts";
export { forgetBalances, readBalances, readCachedBalances } from "./balances/cached-balances.ts";
export { fundWallet } from "./balances/fund-wallet.ts";
export { TokenName } from "./balances/present-balances.ts";
export { addWallet, type NewWallet } from "./create-wallet.ts";
export { FreezeReport, freezeWalletOnChain } from "./freezes/freeze-on-chain.ts";
export type { Freeze } from "./freezes/freeze-wallets.ts";
export { freezeWallet, freezeWallets } from "./freezes/freeze-wallets.ts";
export { type UnfreezeWallet, unfreezeWallet } from "./freezes/unfreeze-wallet.ts";
export {
  freezeRevokedAgent,
  requireEmptyWallets,
  setWalletsStopped,
} from "./freezes/wallets-of-agents.ts";
export {
  listAgentWallets,
  listWallets,
  type WalletKey,
  type WalletOverview,
  type WalletScope,
} from "./queries.ts";
export { findWalletForAdmin, getWallet } from "./require-wallet.ts";
export { walletSealedColumns } from "./sealed-columns.ts";
export { createWalletKey } from "./signer/wallet-keys.ts";
export { updateWallet } from "./update-wallet.ts";
export { presentWallet, WalletResource } from "./wallet-resource.ts";
