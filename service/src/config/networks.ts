import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import { type BlockchainNetwork, EVM_NETWORKS, isMainnet } from "../foundation/blockchain-networks.ts";
import type { Profile } from "../foundation/vocabulary.ts";
import { isUrlOf } from "./limits.ts";
import type { Reader } from "./reader.ts";

const WALLET_NETWORKS = "PURSER_WALLET_NETWORKS";
const RPC_URLS = "PURSER_RPC_URLS";
const DEPLOYMENT = "PURSER_CONTRACTS_DEPLOYMENT";

type ContractsDeployment = keyof typeof ADDRESSES;

/**
 * Reads the networks of live wallets. By default, production has none, and the other profiles have every EVM network.
 * Production does not allow mainnets, because the contracts are not audited and the local signer keeps the keys of wallets
 * in the database.
 */
export function readWalletNetworks(read: Reader, profile: Profile): readonly BlockchainNetwork[] {
  const networks = read.list(WALLET_NETWORKS, profile === "production" ? [] : EVM_NETWORKS) as BlockchainNetwork[];
  if (!networks.every((network) => EVM_NETWORKS.includes(network))) {
    read.report(`${WALLET_NETWORKS} is not a list of: ${EVM_NETWORKS.join(", ")}.`);
  }
  for (const network of profile === "production" ? networks.filter(isMainnet) : []) {
    read.report(`${WALLET_NETWORKS} contains ${network}. The local signer signs only for test networks.`);
  }
  return networks;
}

/** Reads the deployment of the contracts. Wallets are accounts of its factory. */
export function readContractsDeployment(read: Reader): ContractsDeployment {
  return read.oneOf(DEPLOYMENT, Object.keys(ADDRESSES) as ContractsDeployment[], "local");
}

/** Reads how many blocks make a block final. Production has the number of each network, the local profile has one. */
export function readConfirmations(read: Reader, profile: Profile): number | null {
  if (profile === "production") return null;
  return read.whole("PURSER_CONFIRMATIONS", 1);
}

/** The URLs of the nodes of each network: one or two. They can contain credentials. */
export type RpcUrlsConfig = ReadonlyMap<BlockchainNetwork, readonly string[]>;

/** Reads networks, each followed by one or two URLs and separated by spaces. Without any, live wallets cannot be used. */
export function readRpcUrls(read: Reader): RpcUrlsConfig {
  const entries = (read.optionalSecret(RPC_URLS) ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => entry.split(/\s+/));
  const urls = new Map(entries.map(([network, ...urlsOfNetwork]) => [network as BlockchainNetwork, urlsOfNetwork]));
  const isValid = [...urls].every(
    ([network, nodes]) =>
      EVM_NETWORKS.includes(network) &&
      nodes.every(isNodeUrl) &&
      nodes.length >= 1 &&
      nodes.length <= 2 &&
      new Set(nodes.map((node) => new URL(node).host)).size === nodes.length,
  );
  if (!isValid || urls.size !== entries.length) {
    read.report(
      `${RPC_URLS} is not a list of different networks, each followed by one or two URLs of different hosts.`,
    );
  }
  return urls;
}

/** A URL can have a key in its path or query, but no user, which `fetch` refuses. */
function isNodeUrl(text: string): boolean {
  return isUrlOf("http:", "https:")(text) && new URL(text).username === "" && new URL(text).password === "";
}

/** Returns a message for each network that production does not allow. */
export function checkRealNetworks(
  rpcUrls: RpcUrlsConfig,
  {
    walletNetworks,
    contractsDeployment,
  }: Readonly<{
    walletNetworks: readonly BlockchainNetwork[];
    contractsDeployment: ContractsDeployment;
  }>,
): string[] {
  const problems = [...rpcUrls].flatMap(([network, urls]) => [
    ...(urls.every(isUrlOf("https:")) ? [] : [`${RPC_URLS} contains a URL of ${network} that is not https.`]),
    ...(urls.length === 2 || !walletNetworks.includes(network)
      ? []
      : [`${RPC_URLS} contains one URL of ${network}. Production requires two, of different operators of nodes.`]),
  ]);
  if (rpcUrls.size > 0 && contractsDeployment === "local") {
    problems.push(`${DEPLOYMENT} is local, whose keys are public. Production allows it only without ${RPC_URLS}.`);
  }
  return problems;
}
