import type { BlockchainNetwork } from "../foundation/blockchain-networks.ts";

/** A block, as far as it identifies the chain. */
export interface Block {
  readonly number: bigint;
  readonly hash: string;
  readonly parentHash: string;
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

/**
 * A blockchain network whose accounts are smart accounts. Its methods throw `VendorError` with the failure `unavailable` if no
 * node of the network answers. Addresses and hashes in its results are in lowercase.
 */
export interface EvmNetwork {
  readonly network: BlockchainNetwork;

  /** Returns the block, or null if the chain does not have it. */
  readBlock(block: bigint | "latest"): Promise<Block | null>;

  /**
   * Returns what the owners have of a token at a block, in the smallest unit of the token and in the order of the owners. Null
   * where the token's contract gives no balance.
   */
  readTokenBalances(token: string, owners: readonly string[], block: bigint | "latest"): Promise<(bigint | null)[]>;

  /** Returns the transfers of a token to these recipients in the blocks from `from` to `to`. */
  readTransfers(
    token: string,
    recipients: readonly string[],
    blocks: { readonly from: bigint; readonly to: bigint },
  ): Promise<TokenTransfer[]>;

  /**
   * Asks all nodes for the block with this number, and for the transfers in the block with this hash.
   *
   * - `agreed`: all have this block. `transfers` are those that all of them report.
   * - `replaced`: all have one other block.
   * - `disputed`: they have different blocks.
   *
   * Throws if one of them does not answer.
   */
  confirmTransfers(
    token: string,
    recipients: readonly string[],
    block: Pick<Block, "number" | "hash">,
  ): Promise<
    | { readonly outcome: "agreed"; readonly transfers: readonly TokenTransfer[] }
    | { readonly outcome: "replaced" | "disputed" }
  >;
}
