/** The IDs of the chains that have a simulated bundler, by Pimlico's chain names. */
const CHAIN_IDS: Readonly<Record<string, number>> = {
  ethereum: 1,
  optimism: 10,
  polygon: 137,
  base: 8_453,
  arbitrum: 42_161,
  "polygon-amoy": 80_002,
  "base-sepolia": 84_532,
  "arbitrum-sepolia": 421_614,
  sepolia: 11_155_111,
  "optimism-sepolia": 11_155_420,
};

/** Returns the chain ID for a path segment that is a chain's name or ID. */
export function parseChainId(segment: string | undefined): number | undefined {
  if (segment === undefined) return undefined;
  return Object.hasOwn(CHAIN_IDS, segment)
    ? CHAIN_IDS[segment]
    : Object.values(CHAIN_IDS).find((chainId) => String(chainId) === segment);
}
