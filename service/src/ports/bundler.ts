import type { BlockchainNetwork } from "../foundation/blockchain-networks.ts";
import type { GasPrice } from "./evm-network.ts";

/**
 * Puts operations of accounts on a network (ERC-4337). What it says about an operation is not believed: the EntryPoint tells
 * what has become of it. Its methods throw `VendorError`. Operations are texts of JSON as in ERC-7769.
 */
export interface Bundler {
  /** Returns the price of gas that the bundler asks for. Null if it has no method for that. */
  readGasPrice(): Promise<GasPrice | null>;

  /** Returns the gas that the bundler asks for besides what is measured on the chain. Null if it cannot estimate it. */
  estimatePreVerificationGas(operation: string): Promise<bigint | null>;

  /**
   * Sends a signed operation, and returns its hash. Throws if the bundler refuses it. The same operation can be sent again, also
   * if it is not known whether the bundler has received it.
   */
  sendOperation(operation: string): Promise<string>;
}

/** Opens the bundler of a network with one account's API key. */
export type OpenBundler = (access: { readonly network: BlockchainNetwork; readonly apiKey: string }) => Bundler;
