import type { BlockchainNetwork } from "../foundation/blockchain-networks.ts";

export interface Block {
  readonly number: bigint;
  readonly hash: string;
}

/** A transfer of a token, as the token's contract has logged it. */
export interface TokenTransfer {
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly transactionHash: string;
  /** The place of the log in its block. */
  readonly logIndex: number;
  readonly from: string;
  readonly to: string;
  /** In the smallest unit of the token. */
  readonly amount: bigint;
}

/** A range of blocks, both included. Empty if `from` is greater than `to`. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * A blockchain network whose accounts are smart accounts. Its methods throw `VendorError` with the failure `unavailable` if no
 * node of the network answers, and those whose name contains `Agreed` or `Lowest` if one node does not. Addresses and hashes in
 * its results are in lowercase.
 */
export interface EvmNetwork {
  readonly network: BlockchainNetwork;

  /** Returns the block, or null if the node that answers does not have it. */
  readBlock(block: bigint | "latest"): Promise<Block | null>;

  /**
   * Returns what the owners have of a token at a block, in the smallest unit of the token and in the order of the owners. Null
   * where the token's contract gives no balance.
   */
  readTokenBalances(token: string, owners: readonly string[], block: bigint | "latest"): Promise<(bigint | null)[]>;

  /** Returns the transfers of a token to these recipients, in the order of the chain. */
  readTransfers(token: string, recipients: readonly string[], blocks: BlockRange): Promise<TokenTransfer[]>;

  /** Returns the number of the newest block that all nodes have reached. */
  readLowestHead(): Promise<bigint>;

  /** Returns the block with this number, or null if not all nodes have the same one. */
  readAgreedBlock(number: bigint): Promise<Block | null>;

  /** Returns the transfers of a token to these recipients, or null if not all nodes report the same ones. */
  readAgreedTransfers(
    token: string,
    recipients: readonly string[],
    blocks: BlockRange,
  ): Promise<TokenTransfer[] | null>;
}
