import { type BlockchainNetwork, EVM_NETWORKS, isMainnet } from "../foundation/blockchain-networks.ts";
import type { Profile } from "../foundation/vocabulary.ts";
import type { Reader } from "./reader.ts";

const NAME = "PURSER_WALLET_NETWORKS";

/**
 * Reads the networks of live wallets. By default, production has none, and the other profiles have every EVM network.
 * Production does not allow mainnets, because the keys of the deployment `local` are public and the local signer keeps the
 * keys of wallets in the database.
 */
export function readWalletNetworks(read: Reader, profile: Profile): readonly BlockchainNetwork[] {
  const networks = read.list(NAME, profile === "production" ? [] : EVM_NETWORKS) as BlockchainNetwork[];
  if (!networks.every((network) => EVM_NETWORKS.includes(network))) {
    read.report(`${NAME} is not a list of: ${EVM_NETWORKS.join(", ")}.`);
  }
  for (const network of profile === "production" ? networks.filter(isMainnet) : []) {
    read.report(`${NAME} contains ${network}. The local signer signs only for test networks.`);
  }
  return networks;
}
