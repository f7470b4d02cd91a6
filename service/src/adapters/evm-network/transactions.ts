import { Type } from "typebox";
import type { ContractCall, TransactionReceipt } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { callRpc, tryRpc } from "../http-client/json-rpc.ts";
import type { VendorClient } from "../http-client/vendor-client.ts";
import { HexData, Quantity, tagOf } from "./chain-reads.ts";

/** A node that is asked to estimate a call that reverts. */
const REVERTS: readonly number[] = [3, -32000, -32015];
const REVERT_MESSAGE = /revert/i;

export async function readCoinBalance(client: VendorClient, address: string): Promise<bigint> {
  return BigInt(await callRpc(client, { method: "eth_getBalance", params: [address, "latest"], result: Quantity }));
}

/** Returns how many transactions of an address are in the chain until a block (`eth_getTransactionCount`). */
export async function readTransactionCount(
  client: VendorClient,
  address: string,
  block: bigint | "latest",
): Promise<bigint> {
  const params = [address, tagOf(block)];
  return BigInt(await callRpc(client, { method: "eth_getTransactionCount", params, result: Quantity }));
}

/** Returns the gas that a transaction would use, or null if it would revert (`eth_estimateGas`). */
export async function estimateGas(
  client: VendorClient,
  call: ContractCall & { readonly from: string },
): Promise<bigint | null> {
  const outcome = await tryRpc(client, { method: "eth_estimateGas", params: [call], result: Quantity });
  if ("result" in outcome) return BigInt(outcome.result);
  const { code, message: vendorMessage } = outcome.failure;
  if (REVERTS.includes(code) && REVERT_MESSAGE.test(vendorMessage)) return null;
  const error = { vendor: client.vendor, operation: "eth_estimateGas", vendorCode: String(code), vendorMessage };
  throw new VendorError("unknown", error);
}

/** Hands a signed transaction to the node. Returns why it refuses it, or undefined (`eth_sendRawTransaction`). */
export async function sendTransaction(client: VendorClient, signed: string): Promise<string | undefined> {
  const outcome = await tryRpc(client, { method: "eth_sendRawTransaction", params: [signed], result: HexData });
  return "result" in outcome ? undefined : outcome.failure.message;
}

const Receipt = Type.Object({
  transactionHash: HexData,
  blockNumber: Quantity,
  blockHash: HexData,
  status: Type.Enum(["0x1", "0x0"]),
});

/** Returns the receipt of a transaction, or null if it is in no block of the node (`eth_getTransactionReceipt`). */
export async function readReceipt(client: VendorClient, hash: string): Promise<TransactionReceipt | null> {
  const receipt = await callRpc(client, {
    ...{ method: "eth_getTransactionReceipt", params: [hash], result: Type.Union([Type.Null(), Receipt]) },
  });
  if (receipt === null) return null;
  const { transactionHash, blockNumber, blockHash, status } = receipt;
  if (transactionHash !== hash) {
    const vendorMessage = "the receipt is that of another transaction";
    throw new VendorError("unknown", { vendor: client.vendor, operation: "eth_getTransactionReceipt", vendorMessage });
  }
  return { transactionHash, blockNumber: BigInt(blockNumber), blockHash, success: status === "0x1" };
}
