import { invariant } from "./invariant.ts";
import type { Asset } from "./money.ts";

interface BlockchainNetworkFacts {
  /** The chain id of EIP-155. Undefined for Solana. */
  readonly evmChainId?: number;
  /** How many blocks, its own included, make a block final: as many as Circle waits for. */
  readonly confirmations: number;
  /** The id of CAIP-2. */
  readonly chainId: string;
  /** The tokens' contracts. Purser does not know the contracts of other tokens on this network. */
  readonly contracts: Readonly<Partial<Record<Asset, string>>>;
}

/** The blockchain networks by the names of the API. The USDC contracts are those that Circle lists. */
export const BLOCKCHAIN_NETWORKS = {
  ethereum: evm(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
  base: evm(8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
  arbitrum: evm(42161, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
  optimism: evm(10, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
  polygon: evm(137, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", 33),
  "ethereum-sepolia": evm(11155111, "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"),
  "base-sepolia": evm(84532, "0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
  "arbitrum-sepolia": evm(421614, "0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d"),
  "optimism-sepolia": evm(11155420, "0x5fd84259d66Cd46123540766Be93DFE6D43130D7"),
  "polygon-amoy": evm(80002, "0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582", 33),
  solana: solana("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
  "solana-devnet": solana("EtWTRABZaYq6iMfeYKouRu166VU2xqa1"),
} as const satisfies Readonly<Record<string, BlockchainNetworkFacts>>;

export type BlockchainNetwork = keyof typeof BLOCKCHAIN_NETWORKS;

/** The facts of a network. */
export function networkFactsOf(network: BlockchainNetwork): BlockchainNetworkFacts {
  return BLOCKCHAIN_NETWORKS[network];
}

/** Returns the chain id of EIP-155. */
export function evmChainIdOf(network: BlockchainNetwork): number {
  const { evmChainId } = networkFactsOf(network);
  invariant(evmChainId !== undefined, "an EVM network has a chain id");
  return evmChainId;
}

/** Returns the contract of USDC on an EVM network. */
export function usdcOf(network: BlockchainNetwork): string {
  const { usdc } = networkFactsOf(network).contracts;
  invariant(usdc !== undefined, "Purser knows the contract of USDC on each EVM network");
  return usdc;
}

/** The networks whose accounts are smart accounts. Solana is none of them. */
export const EVM_NETWORKS = (Object.keys(BLOCKCHAIN_NETWORKS) as BlockchainNetwork[]).filter(
  (network) => networkFactsOf(network).evmChainId !== undefined,
);

/** Returns true if the tokens of the network have a value. */
export function isMainnet(network: BlockchainNetwork): boolean {
  return mainnetOf(network) === network;
}

/** Returns the main network that a test network belongs to, or the network itself. */
export function mainnetOf(network: BlockchainNetwork): string {
  return network.replace(/-(sepolia|amoy|devnet)$/, "");
}

/** Returns the network with this name or CAIP-2 id, or undefined. */
export function blockchainNetworkOf(text: string): BlockchainNetwork | undefined {
  if (Object.hasOwn(BLOCKCHAIN_NETWORKS, text)) return text as BlockchainNetwork;
  const found = Object.entries(BLOCKCHAIN_NETWORKS).find(([, { chainId }]) => chainId === text);
  return found?.[0] as BlockchainNetwork | undefined;
}

function evm(evmChainId: number, usdc: string, confirmations = 65): BlockchainNetworkFacts {
  return { evmChainId, chainId: `eip155:${evmChainId}`, confirmations, contracts: { usdc } };
}

function solana(genesisHash: string): BlockchainNetworkFacts {
  return { chainId: `solana:${genesisHash}`, confirmations: 1, contracts: {} };
}
