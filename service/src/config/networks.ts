import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import type { OperatorKeys } from "../app.ts";
import { addressOfKey } from "../crypto/guardian-transaction.ts";
import type { HexText } from "../crypto/user-operation.ts";
import { type BlockchainNetwork, EVM_NETWORKS, isMainnet } from "../foundation/blockchain-networks.ts";
import { type Profile, WALLET_SIGNERS, type WalletSignerName } from "../foundation/vocabulary.ts";
import { isUrlOf } from "./limits.ts";
import type { Reader } from "./reader.ts";

const WALLET_NETWORKS = "PURSER_WALLET_NETWORKS";
const RPC_URLS = "PURSER_RPC_URLS";
const DEPLOYMENT = "PURSER_CONTRACTS_DEPLOYMENT";

type ContractsDeployment = keyof typeof ADDRESSES;

/**
 * Reads the networks of live wallets. By default, production has none, and the other profiles have every EVM network.
 * Production does not allow mainnets, because the contracts are not audited.
 */
export function readWalletNetworks(read: Reader, profile: Profile): readonly BlockchainNetwork[] {
  const networks = read.list(WALLET_NETWORKS, profile === "production" ? [] : EVM_NETWORKS) as BlockchainNetwork[];
  if (!networks.every((network) => EVM_NETWORKS.includes(network))) {
    read.report(`${WALLET_NETWORKS} is not a list of: ${EVM_NETWORKS.join(", ")}.`);
  }
  for (const network of profile === "production" ? networks.filter(isMainnet) : []) {
    read.report(
      `${WALLET_NETWORKS} contains ${network}. Production allows only test networks, because the contracts are not audited.`,
    );
  }
  return networks;
}

export function readContractsDeployment(read: Reader): ContractsDeployment {
  return read.oneOf(DEPLOYMENT, Object.keys(ADDRESSES) as ContractsDeployment[], "local");
}

export function readWalletSigner(read: Reader): WalletSignerName {
  return read.oneOf("PURSER_WALLET_SIGNER", WALLET_SIGNERS, "local");
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

/** The addresses of anvil's keys, which are public. */
const ANVIL_ADDRESSES: readonly string[] = [
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
  "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
  "0x976EA74026E726554dB657fA54763abd0C3a0aa9",
  "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955",
  "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f",
  "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720",
];

const KEY_NAMES: Readonly<Record<keyof OperatorKeys, string>> = {
  paymasterSigner: "PURSER_PAYMASTER_SIGNER_KEY",
  freezer: "PURSER_FREEZER_KEY",
  unfreezer: "PURSER_UNFREEZER_KEY",
};

/** Reads the private keys of the operator. Null for a key that is not set. */
export function readOperatorKeys(read: Reader): OperatorKeys {
  const keyOf = (name: string) => formedKey(read, name, read.optionalSecret(name));
  return {
    paymasterSigner: keyOf(KEY_NAMES.paymasterSigner),
    freezer: keyOf(KEY_NAMES.freezer),
    unfreezer: keyOf(KEY_NAMES.unfreezer),
  };
}

/** Returns the private key. Reports it if it is none. */
export function formedKey<Text extends string | null>(read: Reader, name: string, text: Text) {
  const isKey = (key: string) => addressOfKey(key) !== undefined;
  return read.formed(name, text, isKey, "a private key: 0x and 64 hex digits") as Text & (HexText | null);
}

export const ANCHOR_KEY = "PURSER_ANCHOR_KEY";

interface NetworksConfig {
  readonly rpcUrls: RpcUrlsConfig;
  readonly operatorKeys: OperatorKeys;
  /** An anchor on a network has a network and a key. */
  readonly auditAnchor: { readonly kind: string; readonly network?: BlockchainNetwork; readonly key?: HexText };
  readonly settings: {
    readonly walletNetworks: readonly BlockchainNetwork[];
    readonly contractsDeployment: ContractsDeployment;
  };
}

export function checkRealNetworks({
  rpcUrls,
  operatorKeys,
  auditAnchor,
  settings: { walletNetworks, contractsDeployment },
}: NetworksConfig): string[] {
  const problems = [...rpcUrls].flatMap(([network, urls]) => [
    ...(urls.every(isUrlOf("https:")) ? [] : [`${RPC_URLS} contains a URL of ${network} that is not https.`]),
    ...(urls.length === 2 || !(walletNetworks.includes(network) || network === auditAnchor.network)
      ? []
      : [`${RPC_URLS} contains one URL of ${network}. Production requires two, of different operators of nodes.`]),
  ]);
  if (rpcUrls.size > 0 && contractsDeployment === "local") {
    problems.push(`${DEPLOYMENT} is local, whose keys are public. Production allows it only without ${RPC_URLS}.`);
  }
  const named = Object.entries(operatorKeys).map(
    ([role, key]) => [KEY_NAMES[role as keyof OperatorKeys], key] as const,
  );
  const anchorKeys = auditAnchor.key === undefined ? [] : [[ANCHOR_KEY, auditAnchor.key] as const];
  return [...problems, ...checkKeys([...named, ...anchorKeys], rpcUrls.size > 0)];
}

function checkKeys(named: readonly (readonly [string, HexText | null])[], areRequired: boolean): string[] {
  const keys = named.map(([name, key]) => ({ name, address: key && addressOfKey(key) }));
  return keys.flatMap(({ name, address }, index) => {
    if (address === null) return areRequired ? [`${name} is missing. ${RPC_URLS} requires it.`] : [];
    if (ANVIL_ADDRESSES.includes(address ?? "")) return [`${name} is a public key of anvil. Generate a new one.`];
    const same = keys.slice(0, index).find((other) => other.address === address);
    return same === undefined ? [] : [`${name} is the same key as ${same.name}. Each needs a key of its own.`];
  });
}
