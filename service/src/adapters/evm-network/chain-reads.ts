import * as AbiFunction from "ox/AbiFunction";
import { type Static, Type } from "typebox";
import type { Block, TokenTransfer } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { callRpc } from "../http-client/json-rpc.ts";
import type { VendorClient } from "../http-client/vendor-client.ts";

/** The same on every network (https://www.multicall3.com). */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
/** The hash of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export const Quantity = Type.String({ pattern: "^0x[0-9a-f]{1,64}$" });
const HexData = Type.String({ pattern: "^0x([0-9a-f]{2})*$" });
const BlockNumber = Type.String({ pattern: "^0x[0-9a-f]{1,15}$" });
const Hash = Type.String({ pattern: "^0x[0-9a-f]{64}$" });

const BlockOut = Type.Object({ number: BlockNumber, hash: Hash, parentHash: Hash });

const TransferLog = Type.Object({
  address: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
  topics: Type.Tuple([Type.Literal(TRANSFER), Hash, Hash]),
  // An amount of less than 10^37.
  data: Type.String({ pattern: "^0x0{34}[0-9a-f]{30}$" }),
  blockNumber: BlockNumber,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Type.String({ pattern: "^0x[0-9a-f]{1,7}$" }),
  removed: Type.Optional(Type.Literal(false)),
});

const aggregate3 = AbiFunction.from([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) payable returns (Result[] results)",
]);
const balanceOf = AbiFunction.from("function balanceOf(address owner) view returns (uint256)");

/** Reads a block by its number. Null if the node does not have it. */
export async function readBlock(client: VendorClient, block: bigint | "latest"): Promise<Block | null> {
  const found = await callRpc(client, {
    ...{ method: "eth_getBlockByNumber", params: [tagOf(block), false] },
    result: Type.Union([Type.Null(), BlockOut]),
  });
  if (found === null) return null;
  const { number, hash, parentHash } = found;
  if (block !== "latest" && BigInt(number) !== block) throw unusable(client, "the block has another number");
  return { number: BigInt(number), hash, parentHash };
}

/** Reads the balances of the owners with one call of Multicall3. */
export async function readTokenBalances(
  client: VendorClient,
  token: string,
  owners: readonly string[],
  block: bigint | "latest",
): Promise<(bigint | null)[]> {
  const calls = owners.map((owner) => ({
    target: token as `0x${string}`,
    allowFailure: true,
    callData: AbiFunction.encodeData(balanceOf, [owner as `0x${string}`]),
  }));
  const call = { to: MULTICALL3, data: AbiFunction.encodeData(aggregate3, [calls]) };
  const data = await callRpc(client, { method: "eth_call", params: [call, tagOf(block)], result: HexData });
  const results = resultsOf(data);
  if (results?.length !== owners.length) throw unusable(client, "Multicall3 has not returned one result for each call");
  return results.map(({ success, returnData }) => (success && returnData.length === 66 ? BigInt(returnData) : null));
}

/** Reads the transfers of a token to these recipients, in a range of blocks or in the block with this hash. */
export async function readTransfers(
  client: VendorClient,
  token: string,
  recipients: readonly string[],
  blocks: { readonly from: bigint; readonly to: bigint } | { readonly hash: string },
): Promise<TokenTransfer[]> {
  const range =
    "hash" in blocks ? { blockHash: blocks.hash } : { fromBlock: tagOf(blocks.from), toBlock: tagOf(blocks.to) };
  const topics = [
    TRANSFER,
    null,
    recipients.map((recipient) => `0x${recipient.slice(2).toLowerCase().padStart(64, "0")}`),
  ];
  const logs = await callRpc(client, {
    ...{ method: "eth_getLogs", params: [{ ...range, address: token, topics }] },
    result: Type.Array(TransferLog),
  });
  const transfers = logs.map(transferOf);
  const isAsked = ({ blockNumber, blockHash }: TokenTransfer) =>
    "hash" in blocks ? blockHash === blocks.hash : blockNumber >= blocks.from && blockNumber <= blocks.to;
  const isOfToken = logs.every(({ address }) => address.toLowerCase() === token.toLowerCase());
  const wanted = new Set(recipients.map((recipient) => recipient.toLowerCase()));
  if (!isOfToken || !transfers.every((transfer) => isAsked(transfer) && wanted.has(transfer.to))) {
    throw unusable(client, "a log is not one that was asked for");
  }
  return transfers;
}

function transferOf(log: Static<typeof TransferLog>): TokenTransfer {
  const [, from, to] = log.topics;
  return {
    blockNumber: BigInt(log.blockNumber),
    blockHash: log.blockHash,
    transactionHash: log.transactionHash,
    logIndex: Number(log.logIndex),
    from: `0x${from.slice(26)}`,
    to: `0x${to.slice(26)}`,
    amount: BigInt(log.data),
  };
}

/** Returns undefined if Multicall3 has not returned these bytes. */
function resultsOf(data: string) {
  try {
    return AbiFunction.decodeResult(aggregate3, data as `0x${string}`);
  } catch {
    return undefined;
  }
}

function tagOf(block: bigint | "latest"): string {
  return block === "latest" ? block : `0x${block.toString(16)}`;
}

function unusable({ vendor }: VendorClient, vendorMessage: string): VendorError {
  return new VendorError("unknown", { vendor, operation: "read", vendorMessage });
}
