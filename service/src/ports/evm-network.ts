import type { BlockchainNetwork } from "../foundation/blockchain-networks.ts";

export interface Block {
  readonly number: bigint;
  readonly hash: string;
  /** When it was made, in seconds since 1970. */
  readonly timeSeconds: number;
}

/** A call of a contract that changes nothing. */
export interface ContractCall {
  readonly to: string;
  readonly data: string;
}

/** What the EntryPoint has logged about an operation of an account. */
export interface OperationEvent {
  readonly userOpHash: string;
  readonly sender: string;
  readonly nonce: bigint;
  /** Whether the account has done what the operation asks for. The transaction succeeds in both cases. */
  readonly success: boolean;
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
}

/** How a simulated transaction ends. */
export interface SimulatedCall {
  readonly success: boolean;
  /** What it returns, or why it reverts. */
  readonly returnData: string;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

/** Fees of EIP-1559 for a unit of gas, in wei. */
export interface GasPrice {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
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

/** The contract and the topics of logs. */
export interface LogFilter {
  readonly contract: string;
  readonly topics: readonly string[];
}

/** A log of a contract. */
export interface ContractLog {
  readonly data: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly transactionHash: string;
  /** The place of the log in its block. */
  readonly logIndex: number;
}

/** What has become of a transaction that is in a block. */
export interface TransactionReceipt {
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  /** False if it reverted: it has used its nonce, and changed nothing else. */
  readonly success: boolean;
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

  /** Succeeds if a node has reported the id of this network's chain in the last ten seconds. Otherwise asks them. */
  ping(): Promise<void>;

  /** Returns the block, or null if the node that answers does not have it. */
  readBlock(block: bigint | "latest"): Promise<Block | null>;

  /**
   * Returns what the owners have of a token at a block, in the smallest unit of the token and in the order of the owners. Null
   * where the token's contract gives no balance.
   */
  readTokenBalances(token: string, owners: readonly string[], block: bigint | "latest"): Promise<(bigint | null)[]>;

  /** Returns the transfers of a token to these recipients, in the order of the chain. */
  readTransfers(token: string, recipients: readonly string[], blocks: BlockRange): Promise<TokenTransfer[]>;

  /** Returns the numbers of the newest block that all nodes have reached, and of the newest that one has. */
  readHeads(): Promise<{ readonly lowest: bigint; readonly highest: bigint }>;

  /** Returns the block with this number, or null if not all nodes have the same one. */
  readAgreedBlock(number: bigint): Promise<Block | null>;

  /** Returns the transfers of a token to these recipients, or null if not all nodes report the same ones. */
  readAgreedTransfers(
    token: string,
    recipients: readonly string[],
    blocks: BlockRange,
  ): Promise<TokenTransfer[] | null>;

  /** Calls contracts at a block, and returns what they return. Null for a call that reverts. */
  readCalls(calls: readonly ContractCall[], block: bigint | "latest"): Promise<(string | null)[]>;

  /** Like `readCalls`. Null if not all nodes report the same. */
  readAgreedCalls(calls: readonly ContractCall[], block: bigint): Promise<(string | null)[] | null>;

  /** Returns the logs that a contract has made with these topics, or null if not all nodes report the same ones. */
  readAgreedLogs(filter: LogFilter, blocks: BlockRange): Promise<ContractLog[] | null>;

  /** Returns the events of EntryPoint 0.8 about these operations, in the order of the chain. */
  readOperationEvents(userOpHashes: readonly string[], blocks: BlockRange): Promise<OperationEvent[]>;

  /** Like `readOperationEvents`. Null if not all nodes report the same. */
  readAgreedOperationEvents(userOpHashes: readonly string[], blocks: BlockRange): Promise<OperationEvent[] | null>;

  /** Returns what a transaction would do after the newest block. Null if the node cannot simulate (`eth_simulateV1`). */
  simulate(call: ContractCall & { readonly from: string }): Promise<SimulatedCall | null>;

  /** Returns what transactions have to pay at present (`eth_feeHistory`): the lowest price that a node reports. */
  readGasPrice(): Promise<GasPrice>;

  /** Returns what an address has of the network's own coin after the newest block, in wei. */
  readCoinBalance(address: string): Promise<bigint>;

  /**
   * Returns how many transactions of an address are in the chain until a block, which is the nonce of the next one. The lowest number
   * that a node reports.
   */
  readTransactionCount(address: string, block: bigint | "latest"): Promise<bigint>;

  /** Returns the gas that a transaction would use after the newest block. Null if it would revert. */
  estimateGas(call: ContractCall & { readonly from: string }): Promise<bigint | null>;

  /**
   * Hands the bytes of a signed transaction to all nodes. Returns why they refuse it, or undefined if one takes it. Can be
   * repeated.
   */
  sendTransaction(signed: string): Promise<string | undefined>;

  /** Returns the receipts of transactions, in the order of their hashes. Null for one that is in no block. */
  readReceipts(hashes: readonly string[]): Promise<(TransactionReceipt | null)[]>;

  /** Like `readReceipts`. Null if not all nodes report the same. */
  readAgreedReceipts(hashes: readonly string[]): Promise<(TransactionReceipt | null)[] | null>;
}
