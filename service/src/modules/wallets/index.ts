export { createWallet, type NewWallet } from "./create-wallet.ts";
export { listAgentWallets, listWallets } from "./list-wallets.ts";
export type { Wallet, WalletKey, WalletOverview, WalletPosition, WalletScope } from "./queries.ts";
export { recordWalletChange } from "./record-wallet-change.ts";
export { getChangedWallet, getWallet, requireWalletLocked } from "./require-wallet.ts";
export { walletSealedColumns } from "./sealed-columns.ts";
export { createWalletKey } from "./signer/wallet-keys.ts";
export { presentWallet, WalletResource } from "./wallet-resource.ts";
