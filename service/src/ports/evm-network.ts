import type { BlockchainNetwork } from "../foundation/blockchain-networks.ts";

/**
 * A blockchain network whose accounts are smart accounts. Its methods throw `VendorError` with the failure `unavailable` if no
 * node of the network answers.
 */
export interface EvmNetwork {
  readonly network: BlockchainNetwork;

  /**
   * Returns what the owners have of a token at the newest block, in the smallest unit of the token and in the order of the
   * owners. Null where the token's contract gives no balance.
   */
  readTokenBalances(token: string, owners: readonly string[]): Promise<(bigint | null)[]>;
}
