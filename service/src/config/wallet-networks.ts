import { type BlockchainNetwork, EVM_NETWORKS, isMainnet } from "../foundation/money/blockchain-networks.ts";
import type { Profile } from "../foundation/profile.ts";
import type { Settings } from "../foundation/settings.ts";
import type { Reader } from "./reader.ts";

const NAME = "PURSER_WALLET_NETWORKS";

type Networks = Pick<Settings, "walletNetworks">;

/** Reads the networks of live wallets. By default, production has none, and the other profiles have every EVM network. */
export function readWalletNetworks(read: Reader, profile: Profile): Networks {
  const names = read.list(NAME, profile === "production" ? [] : EVM_NETWORKS);
  // `checkWalletNetworks` rejects other names.
  return { walletNetworks: names as BlockchainNetwork[] };
}

export function checkWalletNetworks({ walletNetworks }: Networks): string[] {
  const isValid = walletNetworks.every((network) => EVM_NETWORKS.includes(network));
  return isValid ? [] : [`${NAME} is not a list of: ${EVM_NETWORKS.join(", ")}.`];
}

/**
 * Returns a message for mainnets. Production does not allow them, because the keys of the deployment `local` are public and
 * the local signer keeps the keys of wallets in the database.
 */
export function checkRealWalletNetworks({ walletNetworks }: Networks): string[] {
  return walletNetworks
    .filter(isMainnet)
    .map((network) => `${NAME} contains ${network}. The local signer signs only for test networks.`);
}
